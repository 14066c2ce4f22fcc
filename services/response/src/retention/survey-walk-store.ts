import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { Collection } from 'mongodb';
import { BY_SURVEY, type DefinitionDocument } from '../definitions/definition-store.ts';
import type { SurveyWalkStore, WalkState } from './survey-walk.ts';

/** Position of the walk through all surveys. There is one document. */
export interface SurveyWalkDocument {
  readonly _id: string;
  readonly position: string;
  readonly has_more: boolean;
  readonly next_at: Date;
  readonly completed_at: Date | null;
  readonly revision?: number;
}

interface Dependencies {
  readonly walks: Collection<SurveyWalkDocument>;
  readonly definitions: Collection<DefinitionDocument>;
}

const WALK = { _id: 'responses' };
const MAX_TIME = { maxTimeMS: 10_000 } as const;

export function createSurveyWalkStore({ walks, definitions }: Dependencies): SurveyWalkStore {
  return {
    async find() {
      const document = await walks.findOne(WALK, MAX_TIME);
      return document === null ? undefined : fromDocument(document);
    },

    async save(state) {
      const next = { ...state, revision: state.revision + 1 };
      const before = { ...WALK, revision: state.revision === 0 ? { $exists: false } : state.revision };
      try {
        await walks.replaceOne(before, toDocument(next), { upsert: true });
        return next;
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
    },

    async findSurveys(after, limit) {
      // A survey has one document per version, so a page can contain fewer surveys than the limit.
      const found = await systemScope(definitions)
        .find<Pick<DefinitionDocument, 'survey_id'>>(
          { survey_id: { $gt: after } },
          {
            sort: { survey_id: 1, version: -1 },
            limit,
            projection: { _id: 0, survey_id: 1 },
            hint: BY_SURVEY,
            ...MAX_TIME,
          },
        )
        .toArray();
      return [...new Set(found.map(({ survey_id }) => survey_id))];
    },
  };
}

function toDocument({ position, hasMore, nextAt, completedAt, revision }: WalkState): Omit<SurveyWalkDocument, '_id'> {
  return { position, has_more: hasMore, next_at: nextAt, completed_at: completedAt ?? null, revision };
}

function fromDocument({ position, has_more, next_at, completed_at, revision = 0 }: SurveyWalkDocument): WalkState {
  return { position, hasMore: has_more, nextAt: next_at, completedAt: completed_at ?? undefined, revision };
}
