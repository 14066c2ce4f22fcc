import { describe, expect, it } from 'vitest';
import { acceptsJson } from './transcoder.ts';

describe('acceptsJson', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'text/html, application/json;q=0.1',
    'text/html, */*;q=0.001',
    'application/*;q=0, application/json',
    '*/*;q=0, application/json;q=0.5',
    'text/html,, application/json',
    'text/html',
    'text/*',
    'application/problem+json',
    'application/*+json',
    'application/vnd.api+json',
    'text/html;q=0, text/*',
    'text/html, */*;q=0',
    'application/problem+json, */*;q=0',
  ])('accepts %j', (accept) => {
    expect(acceptsJson(accept)).toBe(true);
  });

  it.each([
    'text/plain',
    'text/csv',
    'application/xml',
    '*/*;q=0',
    'text/html;q=0, application/json;q=0, */*;q=0',
    'text/html;q=0',
    'application/*+json; q=0.0',
    'application/json;q=0, text/html',
    'application/json;q=0',
    'application/json; q=0.000, text/html',
    // The more specific range decides, in any order.
    '*/*, application/json;q=0',
    'application/json;q=0, */*',
    'application/*;q=0, */*',
    'json',
    '*',
  ])('rejects %j', (accept) => {
    expect(acceptsJson(accept)).toBe(false);
  });
});
