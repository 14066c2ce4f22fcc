import type { JsonObject } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import { readEvent } from '@survey/runtime/kafka/event-message';
import { createTestKafka } from '@survey/runtime/testing/kafka/test-kafka';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import type { TestApp } from './response-app.ts';
import { testDefinition } from './test-definition.ts';

export const submittedAnswers = { ate: 'yes', taste: 4, comment: 'between us' };

interface Given {
  /** Members of the submission. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Changed fields of the document. */
  readonly fields?: Partial<ResponseDocument>;
  readonly definition?: JsonObject;
}

/** Submits a response to a new survey. The helpers call as a user with all permissions. */
export async function submitResponse(app: TestApp, given: Given = {}) {
  const { body, headers, fields, definition = testDefinition } = given;
  const { surveyId, tenantId } = app.survey.add({ definition });
  const { body: created } = await app.submit(surveyId, { data: submittedAnswers, ...body }, headers);
  if (fields !== undefined) await app.responses.updateOne({ _id: created.id }, { $set: fields });
  const id: string = created.id;
  const permissions = ['responses:read', 'responses:write', 'responses:delete'];
  const call = (method: string, more: object = {}) =>
    app.call(method, `/v1/responses/${id}`, { tenantId, permissions, ...more });
  return {
    id,
    tenantId,
    surveyId,
    call,
    read: () => call('GET'),
    patch: (change: object, headers: Readonly<Record<string, string>> = {}) => call('PATCH', { body: change, headers }),
    remove: (headers: Readonly<Record<string, string>> = {}) => call('DELETE', { headers }),
    async events(count: number) {
      const messages = await createTestKafka().readTopic(topics.response, count, ({ key }) => key?.toString() === id);
      return messages.map(readEvent);
    },
  };
}
