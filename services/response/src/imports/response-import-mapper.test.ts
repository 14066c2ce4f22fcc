import { create } from '@bufbuild/protobuf';
import { ImportedResponseSchema } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import { expect, it } from 'vitest';
import { fromImportedMessage } from './response-import-handler.ts';

it.each(['', '[]', 'null', '{'])('names the response whose answers are malformed: %j', (answers) => {
  const messages = ['{}', answers].map((text) => create(ImportedResponseSchema, { id: 'a', answers: text }));
  expect(() => messages.map(fromImportedMessage)).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_FAILED',
      errors: [{ path: '/responses/1/answers', code: 'WRONG_TYPE', detail: expect.any(String) }],
    }),
  );
});
