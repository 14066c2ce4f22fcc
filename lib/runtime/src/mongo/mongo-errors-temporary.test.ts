import { Code, ConnectError } from '@connectrpc/connect';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { maySucceedLater } from './mongo-errors.ts';

const serverError = (code: number) => new MongoServerError({ message: 'rejected', code });

describe('maySucceedLater', () => {
  it.each([
    ['a service that is away', new AppError('UNAVAILABLE')],
    ['a service that has too much to do', new AppError('OVERLOADED')],
    ['a reply that took too long', new ConnectError('slow', Code.DeadlineExceeded)],
    ['a right that is missing', new AppError('PERMISSION_DENIED')],
    ['a change that came first', new AppError('VERSION_CONFLICT')],
    ['a database that cannot be reached', new MongoNetworkError('gone')],
    ['a database that demands a password', serverError(18)],
    ['a database whose disk is full', serverError(14_031)],
  ])('is true for %s', (_, error) => {
    expect(maySucceedLater(error)).toBe(true);
  });

  it.each([
    ['a bug', new TypeError('undefined')],
    ['something that is no error', 'text'],
    ['a record that is not there', new AppError('SURVEY_NOT_FOUND')],
    ['a rule that the event breaks', new AppError('VALIDATION_FAILED')],
    ['a document that is too large', serverError(10_334)],
    ['a document that the database does not want', serverError(121)],
  ])('is false for %s', (_, error) => {
    expect(maySucceedLater(error)).toBe(false);
  });
});
