import { printEventTypes } from '@survey/openapi/print-event-types';
import { expect, it } from 'vitest';
import { eventTypes } from './event-catalog.ts';

it('the types in @survey/webhooks are those of the catalog', async () => {
  const events = eventTypes.map(({ name, description, schema }) => ({ name, description, schema }));
  await expect(printEventTypes(events)).toMatchFileSnapshot('../../../../lib/webhooks/src/generated/events.ts');
});
