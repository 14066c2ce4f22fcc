import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import type { StoredFile } from './file.ts';
import { createResponseFiles, type ReferencedFile } from './response-files.ts';

const tenantId = toTenantId(randomUUID());
const surveyId = randomUUID();

const newFile = (questionId: string): StoredFile => ({
  id: randomUUID(),
  tenantId,
  surveyId,
  questionId,
  state: 'ready',
  filename: undefined,
  size: 1,
  contentType: 'text/plain',
  chunks: 1,
  responseId: undefined,
  claims: 0,
  expiresAt: new Date(Date.now() + 60_000),
  dueAt: undefined,
});

// `claim` reads only these properties of a question.
const toReference = ({ id, questionId }: StoredFile) =>
  ({ fileId: id, question: { id: questionId, dataPath: `/data/${questionId}` } }) as unknown as ReferencedFile;

describe('a claim of files', () => {
  it('names only the questions whose files another response claimed in between', async () => {
    const [own, contested] = [newFile('cv'), newFile('more')];
    const response = { tenantId, surveyId, id: randomUUID() };
    let stored = [own, contested];
    const dependencies = {
      store: {
        findAll: async () => stored,
        claim: async () => {
          const claimed = { state: 'claimed', dueAt: new Date(Date.now() + 60_000) } as const;
          stored = [
            { ...own, ...claimed, responseId: response.id },
            { ...contested, ...claimed, responseId: randomUUID() },
          ];
          return 1;
        },
      },
      settlement: { isResponseStored: async () => true },
      clock: () => new Date(),
      // `claim` uses only these properties.
    } as unknown as Parameters<typeof createResponseFiles>[0];
    const { claim } = createResponseFiles(dependencies);
    await expect(claim(response, [own, contested].map(toReference))).rejects.toMatchObject({
      code: 'INVALID_ANSWERS',
      errors: [{ path: '/data/more', code: 'FILE_NOT_FOUND' }],
    });
  });
});
