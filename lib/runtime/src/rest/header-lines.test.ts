import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { rawHeaderValues } from './header-lines.ts';

function messageWith(rawHeaders: string[]): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { rawHeaders });
}

describe('the lines of a header', () => {
  it.each([
    ['none when it is absent', ['Host', 'a', 'Authorizations', 'b'], []],
    ['the one that there is, however its name is written', ['HOST', 'a', 'aUTHORIZATION', 'Bearer b'], ['Bearer b']],
    ['all of them in their order', ['Authorization', 'b', 'Host', 'x', 'authorization', 'a'], ['b', 'a']],
    ['an empty one', ['Authorization', ''], ['']],
    ['no value that looks like its name', ['X-A', 'Authorization', 'X-B', 'c'], []],
  ])('are %s', (_case, rawHeaders, lines) => {
    expect(rawHeaderValues(messageWith(rawHeaders), 'authorization')).toEqual(lines);
  });
});
