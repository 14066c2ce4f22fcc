import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

/** The page says why there is nothing to test. */
const EXPLAINED = 'explained';

/** The tests that prove each case, by its number and by file. */
const testsOf: Readonly<Record<number, typeof EXPLAINED | Readonly<Record<string, readonly string[]>>>> = {
  1: { 'services/webhook/src/sending/http-sender.test.ts': ['is silent is cut off at the deadline'] },
  2: {
    'services/webhook/src/sending/http-sender.test.ts': [
      'drips its headers is cut off at the deadline',
      'drips its body is cut off at the deadline, and counts as a reply',
    ],
  },
  3: {
    'services/webhook/src/sending/reply.test.ts': ['is read up to 16 KiB, and not further'],
    'services/webhook/src/sending/http-sender.test.ts': ['never ends its body is cut off'],
  },
  4: { 'services/webhook/src/sending/http-sender.test.ts': ['sends a compressed bomb is read without decompression'] },
  5: {
    'services/webhook/src/sending/reply.test.ts': [
      'replaces NUL and what is not UTF-8',
      'omits a character that is truncated at the end',
    ],
  },
  6: { 'services/webhook/src/sending/http-sender.test.ts': ['closes in the middle of its body counts as a reply'] },
  7: { 'services/webhook/src/sending/http-sender.test.ts': ['%s fails the attempt'] },
  8: {
    'services/webhook/src/deliveries/attempt.test.ts': ['that gets a reply with %i is retried'],
    'services/webhook/src/forbidden-targets.integration.test.ts': ['of %s to %s is a failure and is not followed'],
  },
  9: {
    'services/webhook/src/hostile-receivers.integration.test.ts': [
      'each attempt is recorded, and its slot is released: %s',
    ],
  },
  10: {
    'services/webhook/src/sending/kept-connections.test.ts': [
      'that closes before a message is sent over it is replaced, and the message is sent once',
      'that breaks after the message was sent fails the attempt, because the receiver may have it',
    ],
  },
  11: {
    'services/webhook/src/deliveries/retry-schedule.test.ts': [
      'is extended only by Retry-After of 429 and 503, never shortened, and never exceeds ten minutes',
    ],
    'services/webhook/src/app.integration.test.ts': [
      'disables a webhook that replies with 410, with the reason, and stores its later deliveries unsent',
      'is tried again at the new address when the old one replies with 410 after the webhook was changed',
    ],
  },
  12: EXPLAINED,
  13: {
    'services/webhook/src/deliveries/replies.integration.test.ts': [
      'is stored encrypted, also its content type, and erased when the response is deleted',
      'is never stored for the deletion of a response',
    ],
    'services/webhook/src/sending/send-span.test.ts': [
      'has only host, port and status, and is in the trace of the delivery',
    ],
  },
  14: {
    'services/webhook/src/forbidden-targets.integration.test.ts': [
      'is rejected on creation and change, without a connection: %s',
      'gets no delivery, even when it is sent again: no connection is opened, and each attempt is recorded',
    ],
  },
  15: { 'services/webhook/src/targets/target.test.ts': ['is rejected when one of its addresses is not public'] },
  16: {
    'services/webhook/src/forbidden-targets.integration.test.ts': [
      'that changes with each lookup is connected at the checked address, or not at all',
    ],
    'services/webhook/src/sending/kept-connections.test.ts': ['is not reused if its address is no longer allowed'],
  },
  17: {
    'services/webhook/src/forbidden-targets.integration.test.ts': ['of %s to %s is a failure and is not followed'],
  },
  18: {
    'services/webhook/src/targets/address-rules.test.ts': ['reject %s'],
    'services/webhook/src/forbidden-targets.integration.test.ts': ['is rejected when it is a part of the platform'],
  },
  19: EXPLAINED,
  20: { 'services/webhook/src/targets/target.test.ts': ['%j is rejected with %s'] },
  21: {
    'services/webhook/src/sending/tls-faults.test.ts': ['%s gets nothing'],
    'services/webhook/src/sending/http-sender.test.ts': ['that stalls the handshake is cut off at the deadline'],
  },
  22: {
    'services/webhook/src/forbidden-targets.integration.test.ts': [
      'is rejected with the same text, whether a server listens, none does, or the name does not exist',
    ],
    'services/webhook/src/deliveries/test-call.integration.test.ts': [
      'is sent at most ten times a minute for each webhook, even if requested concurrently',
    ],
  },
  23: {
    'services/webhook/src/forbidden-targets.integration.test.ts': [
      'that no longer resolves counts as a failure and is retried',
    ],
    'services/webhook/src/targets/name-lookup.test.ts': ['without a reply delay no others'],
  },
  24: {
    'services/webhook/src/sending/kept-connections.test.ts': [
      'are bounded for each webhook and in total, and the least recently used are closed first',
    ],
    'services/webhook/src/deliveries/slots.test.ts': [
      'gets only slots for slow receivers, up to the limit of its tenant',
    ],
  },
  25: {
    'services/webhook/src/app.integration.test.ts': ['arrives with the same bytes after the receiver failed twice'],
  },
  26: {
    'services/webhook/src/deliveries/delivery.test.ts': [
      'is the same for the same event and webhook, and another for any other pair',
    ],
  },
  27: {
    'services/webhook/src/webhooks/secret-rotation.integration.test.ts': [
      'also signs with the previous secret until the overlap ends, but not with older ones',
    ],
  },
  28: {
    'services/webhook/src/app.integration.test.ts': [
      'show the secret once, and are returned as they were created',
      'publish their changes and actors, never the secret',
    ],
  },
  29: { 'test/chaos/webhook-replicas.chaos.test.ts': ['each attempt is signed with its own time'] },
  30: {
    'services/webhook/src/webhook-handler.integration.test.ts': [
      'must be sent again or removed when scheme, host or port changes',
      'are not sent to another origin by redeliveries and replays',
    ],
  },
  31: {
    'services/webhook/src/webhooks/header-rules.test.ts': ['cannot be %s, which is ours', 'cannot have the value %j'],
  },
  32: { 'services/webhook/src/app.integration.test.ts': ['makes one delivery if it is consumed twice'] },
  33: {
    'test/chaos/webhook-replicas.chaos.test.ts': [
      'every event reaches every webhook that asks for it',
      'share the work, and if one is killed, the other sends its deliveries when their leases end',
    ],
  },
  34: {
    'services/webhook/src/deliveries/delivery-worker.integration.test.ts': [
      'above the capacity is stored as due, and sent later',
    ],
  },
  35: {
    'services/webhook/src/deliveries/delivery-worker.integration.test.ts': [
      'of a worker that is lost is delivered by another when the lease ends, and the late result is rejected',
      'whose webhook could not be read before its lease ended is not sent while another worker attempts it',
    ],
  },
  36: {
    'services/webhook/src/deliveries/delivery-worker.integration.test.ts': [
      'that stops finishes attempts that end soon',
      'that stops releases other attempts immediately, and does not count them',
    ],
  },
  37: {
    'test/chaos/webhook-replicas.chaos.test.ts': ['continue after each of them'],
    'services/webhook/src/app.integration.test.ts': [
      'that cannot be read goes to the dead letters and does not delay later ones',
    ],
  },
  38: {
    'services/webhook/src/deliveries/delivery-worker.integration.test.ts': [
      'is stored when the database is available again, and the delivery is not sent twice',
    ],
  },
  39: {
    'services/webhook/src/app.integration.test.ts': ['is not sent to a webhook that was deleted before its retry'],
    'services/webhook/src/deliveries/attempt.test.ts': ['of a webhook that was %s sends nothing and counts no attempt'],
  },
  40: {
    'services/webhook/src/replays/replay.integration.test.ts': [
      'before its next attempt replaces that attempt: none is lost, and none is added',
      'is rejected while it is being sent',
    ],
  },
  41: {
    'services/webhook/src/replays/replay-runner.integration.test.ts': [
      'of thousands makes each due once, with at most 250 waiting',
      'that waits for its receiver does not delay new ones',
    ],
  },
  42: {
    'services/webhook/src/deliveries/receiver-health.integration.test.ts': [
      'is disabled once after five days of failures, and other webhooks of the tenant get one event',
      'stays enabled if a delivery succeeds just before it would be disabled',
    ],
  },
  43: {
    'services/webhook/src/deliveries/retry-schedule.test.ts': ['varies by at most 20 %, and never exceeds ten minutes'],
    'services/webhook/src/deliveries/receiver-health.test.ts': [
      'starts with one attempt at a time, and doubles with each delivery, up to the limit',
    ],
  },
  44: {
    'lib/runtime/src/kafka/outbox-event.test.ts': [
      'rejects an event that a broker would reject, and accepts one just below the limit',
    ],
  },
  45: {
    'services/webhook/src/isolation.integration.test.ts': [
      'delay neither other webhooks of their tenant nor those of other tenants, all on one origin',
    ],
    'services/webhook/src/deliveries/scheduler.test.ts': ['keeps half for other tenants, and half for fast receivers'],
  },
  46: {
    'services/webhook/src/isolation.integration.test.ts': [
      'delay neither other webhooks of their tenant nor those of other tenants, all on one origin',
    ],
  },
  47: {
    'services/webhook/src/webhook-handler.integration.test.ts': [
      'of a tenant is exactly 100 when many more are created at the same time',
    ],
  },
  48: {
    'services/webhook/src/deliveries/delivery-worker.integration.test.ts': [
      'runs one attempt of an unknown webhook and four of a healthy one, concurrently with others',
    ],
  },
  49: {
    'services/webhook/src/deliveries/webhook-state-store.integration.test.ts': [
      'lets one of several replicas probe, and the others learn how long it is open',
    ],
    'services/webhook/src/deliveries/receiver-health.test.ts': ['after %s is open: %s'],
  },
  50: { 'services/webhook/src/app.integration.test.ts': ['are invisible to other tenants, with their deliveries'] },
  51: {
    'services/webhook/src/deliveries/answers.integration.test.ts': [
      'go to those webhooks that ask for them, and are stored encrypted',
    ],
    'services/webhook/src/webhook-handler.integration.test.ts': [
      'cannot be moved to another URL by a caller without permission to read responses',
    ],
  },
  52: {
    'services/webhook/src/fan-out/fan-out.test.ts': ['are stored together, whatever their number'],
    'services/webhook/src/replays/replay.integration.test.ts': ['keeps its last fifty attempts'],
  },
  53: EXPLAINED,
  54: {
    'lib/runtime/src/flow/fair-queue.test.ts': [
      'serves tenants in turn, then the webhooks of each, in order for one webhook',
    ],
  },
  55: {
    'services/webhook/src/deliveries/delivery.test.ts': ['holds the values of the event'],
    'services/webhook/src/fan-out/decode-event.test.ts': ['rejects an event with numbers that JSON cannot express'],
  },
};

const page = await readFile(join(root, 'docs/webhook-corner-cases.md'), 'utf8');
const cases = [...page.matchAll(/^(\d+)\. \*\*(.+?)\*\*: .+$/gm)].map(([, number, name = '']) => ({
  number: Number(number),
  name,
}));

describe('the corner cases of webhooks', () => {
  it('are all in order, and are those that have tests', () => {
    expect(cases).toHaveLength(page.match(/^\d/gm)?.length ?? 0);
    expect(cases.map(({ number }) => number)).toEqual(cases.map((_, index) => index + 1));
    expect(cases.map(({ number }) => `${number}`)).toEqual(Object.keys(testsOf));
  });

  it.each(cases)('case $number, $name, has existing tests or an explanation', async ({ number }) => {
    const tests = testsOf[number] ?? {};
    if (tests === EXPLAINED) return;
    const names = Object.entries(tests).flatMap(([file, titles]) => titles.map((title) => ({ file, title })));
    expect(names).not.toEqual([]);
    for (const { file, title } of names) expect(await readFile(join(root, file), 'utf8'), file).toContain(`'${title}'`);
  });
});
