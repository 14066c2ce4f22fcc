import { catalog } from '@survey/proto/catalog';
import { describe, expect, it } from 'vitest';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';
import { accessOf, checkContract } from './access.ts';

describe('checkContract', () => {
  it('accepts every service of the contract', () => {
    expect(() => checkContract(Object.values(catalog).flat())).not.toThrow();
  });

  it('rejects an operation without access', () => {
    expect(() => checkContract([createTestService([{ name: 'Open' }])])).toThrow(
      'test.v1.TestService.Open has no access option',
    );
  });

  it('rejects an empty access option', () => {
    expect(() => checkContract([createTestService([{ name: 'Open', access: {} }])])).toThrow('empty access option');
  });

  it('rejects an access option that is false', () => {
    const access = { rule: { case: 'public', value: false } } as const;
    expect(() => checkContract([createTestService([{ name: 'Open', access }])])).toThrow('is false');
  });

  it.each(['surveys', 'surveys:', 'Surveys:read', 'surveys read'])(
    'rejects the malformed permission "%s"',
    (permission) => {
      const access = { rule: { case: 'permission', value: permission } } as const;
      expect(() => checkContract([createTestService([{ name: 'Open', access }])])).toThrow('malformed permission');
    },
  );

  it.each([
    ['an internal operation that names no caller', 'internal', []],
    ['callers of an operation that is not internal', 'public', ['import']],
  ] as const)('rejects %s', (_case, rule, callers) => {
    const access = { rule: { case: rule, value: true }, callers: [...callers] };
    expect(() => checkContract([createTestService([{ name: 'Open', access }])])).toThrow(
      'must have callers if it is internal, and no callers otherwise',
    );
  });

  it('rejects a malformed permission under also', () => {
    expect(() => checkContract([createTestService([{ name: 'Open', access: { ...anyone, also: ['x'] } }])])).toThrow(
      'malformed',
    );
  });

  it('rejects a stream', () => {
    const service = createTestService([{ name: 'Watch', access: anyone, serverStreaming: true }]);
    expect(() => checkContract([service])).toThrow('only unary operations');
  });
});

describe('accessOf', () => {
  it('reads the permission of an operation', () => {
    const method = catalog.survey[0].method.getSurvey;
    expect(accessOf(method)).toEqual({ kind: 'permission', permission: 'surveys:read' });
  });
});
