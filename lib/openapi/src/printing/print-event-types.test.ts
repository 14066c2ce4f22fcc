import { expect, it } from 'vitest';
import { printEventTypes } from './print-event-types.ts';

it('every event is an interface with the type of its data', () => {
  const data = { type: 'object', properties: { id: { type: 'string', description: 'Id.' } }, required: ['id'] };
  const printed = printEventTypes([
    { name: 'survey.limit_reached', description: 'The last seat is taken.', schema: data },
    { name: 'webhook.test', description: 'A test.', schema: data },
  ]);
  expect(printed).toContain(`/** The last seat is taken. */
export interface SurveyLimitReachedEvent extends EventEnvelope {
  /** Type of the event. */
  event: 'survey.limit_reached';
  /** The details of the event. */
  data: {
    /** Id. */
    id: string;
  };
}
`);
  expect(printed).toMatch(/export type WebhookEvent =\n {2}\| SurveyLimitReachedEvent\n {2}\| WebhookTestEvent;\n$/);
});
