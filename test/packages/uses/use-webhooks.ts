import { createVerifier, type Delivery, VerificationError } from '@survey/webhooks';
import { expressHandler } from '@survey/webhooks/express';
import { fastifyPlugin } from '@survey/webhooks/fastify';
import { fetchHandler } from '@survey/webhooks/fetch';
import testVectors from '@survey/webhooks/test-vectors.json' with { type: 'json' };

const [vector] = testVectors.vectors;
if (vector === undefined) throw new Error('no vectors');
const options = { secret: vector.secret, now: () => vector.now * 1000 };
const delivery: Delivery = { headers: vector.headers as Record<string, string>, body: vector.body };

const event = await createVerifier(options)(delivery);
// @ts-expect-error the type of the event is not known yet
void event.data.response_id;
if (event.event === 'survey.published') console.log(event.event, event.data.title);

for (const adapter of [expressHandler, fastifyPlugin, fetchHandler]) adapter(options, () => undefined);
const failure = await createVerifier(options)({ ...delivery, body: '' }).catch((error: unknown) => error);
if (!(failure instanceof VerificationError) || failure.code !== 'WRONG_SIGNATURE') throw new Error('accepted');
