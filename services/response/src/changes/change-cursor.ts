import { AppError } from '@survey/runtime/errors/app-error';
import { type ListScope, readOpaqueText, toListName, toOpaqueText } from '@survey/runtime/mongo/page';
import type { SurveyRef } from '../responses/write-window-store.ts';
import { type FeedPosition, toTime } from './change.ts';

/** Encodes a position in the feed of a survey as opaque text. */
export function encodeFeedCursor(survey: SurveyRef, { firstHorizon, stamp, id }: FeedPosition): string {
  return toOpaqueText([toFeedName(survey), firstHorizon.toString(), stamp.toString(), id]);
}

/** Decodes a cursor. Throws `INVALID_CURSOR` for any text that `encodeFeedCursor` does not produce for this survey. */
export function decodeFeedCursor(survey: SurveyRef, cursor: string): FeedPosition {
  const position = readPosition(survey, cursor);
  if (position === undefined || encodeFeedCursor(survey, position) !== cursor) throw new AppError('INVALID_CURSOR');
  return position;
}

/** Throws `CURSOR_EXPIRED` if tombstones of deletions after this position may be gone. */
export function checkNotExpired({ firstHorizon, stamp }: FeedPosition, keptSince: Date): void {
  const latest = stamp > firstHorizon ? stamp : firstHorizon;
  if (toTime(latest) < keptSince) throw new AppError('CURSOR_EXPIRED');
}

function toFeedName({ tenantId, surveyId }: SurveyRef): string {
  const feed: ListScope = { collection: 'responses', tenantId, filter: { surveyId }, by: 'changed', order: 'asc' };
  return toListName(feed);
}

function readPosition(survey: SurveyRef, cursor: string): FeedPosition | undefined {
  const [feed, first, last, id, ...rest] = readOpaqueText(cursor);
  if (rest.length > 0) return undefined;
  const [firstHorizon, stamp] = [toStamp(first), toStamp(last)];
  if (feed !== toFeedName(survey) || firstHorizon === undefined || stamp === undefined) return undefined;
  return typeof id === 'string' ? { firstHorizon, stamp, id } : undefined;
}

/** Stamps are 64-bit numbers as text. */
function toStamp(text: unknown): bigint | undefined {
  return typeof text === 'string' && /^\d{1,20}$/.test(text) ? BigInt.asUintN(64, BigInt(text)) : undefined;
}
