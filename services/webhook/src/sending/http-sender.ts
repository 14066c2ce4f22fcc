import { Client } from 'undici';
import type { IsAllowedAddress } from '../targets/address-rules.ts';
import type { CheckTarget, Target } from '../targets/target.ts';
import { type Answer, readAnswer } from './answer.ts';
import { AttemptError, toAttemptError } from './attempt-error.ts';
import { dial } from './dial.ts';

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Posts a message once. Rejects with an `AttemptError` when there is no answer; the signal ends it at any moment. */
export type Send = (message: Message, signal: AbortSignal) => Promise<Answer>;

interface Options {
  readonly checkTarget: CheckTarget;
  readonly isAllowed: IsAllowedAddress;
}

/** A connection of its own for each message: a kept one could be closing, and would be a second way past the check. */
export function createHttpSender({ checkTarget, isAllowed }: Options): Send {
  return async ({ url, headers, body }, signal) => {
    const target = await untilAborted(findTarget(checkTarget, url), signal);
    const client = new Client(target.url.origin, {
      connect: (_options, callback) => {
        dial(target, isAllowed, signal).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
      },
      allowH2: false,
      // The signal is the one deadline; these would not stop what drips.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const { pathname, search } = target.url;
      const request = { method: 'POST', path: pathname + search, headers, body, signal, reset: true } as const;
      return await readAnswer(await client.request(request));
    } catch (error) {
      throw toAttemptError(error);
    } finally {
      await client.destroy();
    }
  };
}

async function findTarget(checkTarget: CheckTarget, url: string): Promise<Target> {
  const check = await checkTarget(url);
  switch (check.kind) {
    case 'allowed':
      return check.target;
    case 'refused':
      throw new AttemptError('address_refused');
    case 'unresolved':
      throw new AttemptError('dns_failed');
  }
}

/** Waits no longer than the signal lets it; the work itself may go on. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  return promise;
}
