import type { JsonObject } from '@bufbuild/protobuf';
import { topics } from '@survey/proto/catalog';
import { readEvent } from '@survey/runtime/kafka/read-event';
import { createTestKafka } from '@survey/runtime/testing/test-kafka';
import type { ResponseDocument } from '../responses/response-store.ts';
import type { TestApp } from './response-app.ts';
import { testDefinition } from './test-definition.ts';

export const submittedAnswers = { ate: 'yes', taste: 4, comment: 'between us' };

interface Given {
  /** Of the submission. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** What is different of its document. */
  readonly fields?: Partial<ResponseDocument>;
  readonly definition?: JsonObject;
}

/** A response to a survey of its own, with a user of its tenant who may do everything. */
export async function submitResponse(app: TestApp, given: Given = {}) {
  const { body, headers, fields, definition = testDefinition } = given;
  const { surveyId, tenantId } = app.survey.add({ definition });
  const { body: made } = await app.submit(surveyId, { data: submittedAnswers, ...body }, headers);
  if (fields !== undefined) await app.responses.updateOne({ _id: made.id }, { $set: fields });
  const id: string = made.id;
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
    /** The first events that others get of it. */
    async events(count: number) {
      const messages = await createTestKafka().readTopic(topics.response, count, ({ key }) => key?.toString() === id);
      return messages.map(readEvent);
    },
  };
}
