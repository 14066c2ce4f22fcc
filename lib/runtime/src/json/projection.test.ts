import { describe, expect, it } from 'vitest';
import { createProjection } from './projection.ts';

interface Owner {
  readonly name: string;
}

interface Item {
  readonly id: string;
  readonly maxResponses: number | undefined;
  readonly createdAt: Date;
  readonly tags: readonly string[];
  readonly owner: Owner;
}

const createdAt = new Date('2026-01-31T12:00:00Z');
const item: Item = { id: '1', maxResponses: 0, createdAt, tags: ['a'], owner: { name: 'Ada' } };

describe('a projection', () => {
  const project = createProjection<Item>({
    id: false,
    maxResponses: true,
    createdAt: true,
    tags: true,
    owner: ['owned_by', ({ name }) => name],
  });

  it('has the members of its table, with names in snake case', () => {
    expect(project(item)).toEqual({
      max_responses: 0,
      created_at: createdAt.toISOString(),
      tags: ['a'],
      owned_by: 'Ada',
    });
  });

  it('omits undefined members', () => {
    expect(project({ ...item, maxResponses: undefined })).not.toHaveProperty('max_responses');
  });

  it('does not compile without a member of the record, or with one that is not plain', () => {
    // @ts-expect-error: `owner` is forgotten.
    createProjection<Item>({ id: true, maxResponses: true, createdAt: true, tags: true });
    // @ts-expect-error: `owner` must be converted.
    createProjection<Item>({ id: true, maxResponses: true, createdAt: true, tags: true, owner: true });
  });
});
