import type { JsonObject } from '@bufbuild/protobuf';
import type { Actor } from '@survey/runtime/auth/actor';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { checkAccess, checkOpen, type Definition } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import { type NamedFile, namedFiles } from '../files/named-files.ts';
import type { ResponseFiles } from '../files/response-files.ts';
import type { Capacity } from '../limits/capacity.ts';
import type { LedgerScope } from '../limits/ledger.ts';
import type { LedgerStore } from '../limits/ledger-store.ts';
import { type Limit, limitsOf, takesSeat, toLimitError, unlimitedScopesOf } from '../limits/limit.ts';
import type { LimitedCommit } from '../limits/limited-commit.ts';
import type { Link } from '../links/link.ts';
import type { Visit } from '../links/link-service.ts';
import type { DeletedResponseStore } from '../responses/deleted-response-store.ts';
import type { KeyPlace } from '../responses/idempotency.ts';
import type { Response, SealedResponse } from '../responses/response.ts';
import { createdOnBehalf, submittedEvents } from '../responses/response-events.ts';
import type { CountResponse } from '../responses/response-metrics.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-service.ts';
import { type Submission, toComparable, toResponse } from './submission.ts';

/** A submission with what came along. */
export interface SubmissionCall {
  readonly submission: Submission;
  readonly idempotencyKey: string | undefined;
  /** Who has to come again with the key, of a call with a token. */
  readonly requester?: JsonObject;
}

/** The response, and whether this call stored it or an earlier one with the same key did. */
export interface Submitted {
  readonly response: Response;
  readonly origin: 'stored' | 'replayed';
}

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly store: ResponseStore;
  readonly deleted: Pick<DeletedResponseStore, 'has'>;
  readonly limited: LimitedCommit;
  readonly ledgers: Pick<LedgerStore, 'bypass'>;
  readonly capacity: Capacity;
  readonly sealer: ResponseSealer;
  readonly files: Pick<ResponseFiles, 'claim' | 'confirm' | 'release'>;
  readonly count: CountResponse;
  readonly clock: () => Date;
  readonly newId: () => string;
}

/** A request that can be repeated: where its response may be, and what it has to be like. */
interface Repeatable {
  readonly tenantId: TenantId;
  readonly ids: readonly [string, string];
  readonly comparable: string;
  /** Why another request is refused. */
  readonly reused: 'IDEMPOTENCY_KEY_REUSED' | 'LINK_USED_UP';
  /** Why the same request is refused once its response has been deleted. */
  readonly deleted: 'RESPONSE_DELETED' | 'LINK_USED_UP';
}

/** How a submission comes to a survey. */
interface Way {
  readonly survey: Definition;
  readonly place: KeyPlace;
  readonly link: Link | undefined;
  /** The token that it uses up, of a single-use link. */
  readonly token: string | undefined;
  /** Throws when nobody comes in on this way. */
  check(): void;
}

/** What goes with a response that is to be stored. */
interface Storing {
  readonly limits: readonly Limit[];
  /** Ledgers that will not know of it. */
  readonly unlimited: readonly LedgerScope[];
  readonly repeatable: Repeatable | undefined;
  readonly events: readonly OutboxEvent[];
  /** Files that its answers name. */
  readonly named: readonly NamedFile[];
}

/** What a survey takes now. */
interface Accepted {
  readonly response: Response;
  readonly named: readonly NamedFile[];
}

export type SubmissionService = ReturnType<typeof createSubmissionService>;

export function createSubmissionService(dependencies: Dependencies) {
  const { definitions, store, deleted, limited, ledgers, capacity, sealer, files, count, clock, newId } = dependencies;

  async function submit(
    way: Way,
    call: SubmissionCall,
    eventsOf: (response: Response) => readonly OutboxEvent[],
  ): Promise<Submitted> {
    const { submission } = call;
    const repeatable = await repeatableOf(way, call);
    const [first, ...others] = repeatable?.ids ?? [newId()];
    let accepted: Accepted;
    try {
      accepted = await toAccepted(way, submission, first);
    } catch (refusal) {
      // What was taken stays taken: the survey may have closed, or moved on, since the first time.
      const replay = repeatable && (await findFirst(repeatable));
      if (replay === undefined) throw refusal;
      return replay;
    }
    const { response, named } = accepted;
    const isCounted = takesSeat(response);
    const limits = isCounted ? limitsOf(way.survey, way.link) : [];
    const unlimited = isCounted ? unlimitedScopesOf(way.survey, way.link) : [];
    // Twice under the first id: one that a failover took away while it was looked for is free then.
    for (const id of [first, first, ...others]) {
      const made = { ...response, id };
      const submitted = await storeOrFind(made, { limits, unlimited, repeatable, events: eventsOf(made), named });
      if (submitted !== undefined) return submitted;
    }
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
  }

  /** The response that the survey takes now. Throws when it does not, or not this one. */
  async function toAccepted({ survey, link, check }: Way, submission: Submission, id: string): Promise<Accepted> {
    const time = clock();
    check();
    checkOpen(survey, time);
    await capacity.check(survey, link);
    const { surveyVersion = survey.version } = submission;
    // A version that it may not name is told with everything else that is wrong.
    const definition = (await definitions.findVersion(survey, surveyVersion)) ?? survey;
    const response = toResponse(definition, submission, { id, linkId: link?.id, time });
    return { response, named: namedFiles(definition, response.data) };
  }

  /** Undefined when the id is taken by a response that the request did not make. */
  async function storeOrFind(response: Response, storing: Storing) {
    const { repeatable, named } = storing;
    const claimedAt = clock();
    const replay = await takeFiles(response, storing);
    if (replay !== undefined) return replay;
    const seal = await sealer.sealerOf(response.tenantId);
    const outcome = await insert(seal(response, repeatable?.comparable), storing);
    if (outcome === 'inserted') {
      await files.confirm(response, named, claimedAt);
      if (response.status !== 'in_progress') count(response);
      return { response, origin: 'stored' } as const;
    }
    const first = repeatable && (await findFirst(repeatable));
    if (first !== undefined) return first;
    if (typeof outcome === 'object') throw new AppError(toLimitError(outcome));
    // What the first request stored does not come back.
    await checkDeleted(response, repeatable);
    return undefined;
  }

  /** Gives what the first request stored when its files are not there for this one. */
  async function takeFiles(response: Response, { named, repeatable }: Storing): Promise<Submitted | undefined> {
    if (named.length === 0) return undefined;
    try {
      await files.claim(response, named, repeatable?.ids);
      return undefined;
    } catch (refusal) {
      // Under a derived id another call may be about to store the same response.
      if (repeatable === undefined) await files.release(response, named);
      const first = repeatable && (await findFirst(repeatable));
      if (first !== undefined) return first;
      await checkDeleted(response, repeatable);
      throw refusal;
    }
  }

  async function checkDeleted({ id }: Response, repeatable: Repeatable | undefined): Promise<void> {
    if (repeatable !== undefined && (await deleted.has(id))) throw new AppError(repeatable.deleted);
  }

  async function insert(response: SealedResponse, { limits, unlimited, repeatable, events, named }: Storing) {
    try {
      await ledgers.bypass(unlimited);
      if (limits.length === 0) return await store.insert(response, events);
      const outcome = await limited.add({ response, replaces: undefined, events, limits });
      if (typeof outcome === 'object' && repeatable === undefined) await files.release(response, named);
      return outcome === 'stored' ? 'inserted' : outcome;
    } catch (error) {
      const isRefused = error instanceof AppError && error.reason === 'OVERLOADED';
      if (isRefused && repeatable === undefined) await files.release(response, named);
      throw error;
    }
  }

  /** What the first request with the key stored. Throws when that was another request. */
  async function findFirst({ tenantId, ids, comparable, reused }: Repeatable): Promise<Submitted | undefined> {
    for (const id of ids) {
      const sealed = await store.find(tenantId, id);
      // One that came without a key was imported: it is another response, though it has the id.
      if (sealed?.requestHash === undefined) continue;
      const response = await sealer.open(sealed);
      const isSame = await sealer.isMadeBy(tenantId, sealed.requestHash, comparable);
      if (!isSame) throw new AppError(reused);
      return { response, origin: 'replayed' };
    }
    return undefined;
  }

  /** A single-use token is a key that the request has to have, and is good for one with the same `Idempotency-Key` alone. */
  async function repeatableOf({ survey: { tenantId }, place, link, token }: Way, call: SubmissionCall) {
    const { idempotencyKey, submission, requester } = call;
    if (link !== undefined && token !== undefined) {
      const ids = await sealer.idsOfKey(tenantId, { scope: 'link-token', id: link.id }, token);
      const own = `${idempotencyKey ?? newId()} ${toComparable(submission)}`;
      return { tenantId, ids, comparable: own, reused: 'LINK_USED_UP', deleted: 'LINK_USED_UP' } as const;
    }
    if (idempotencyKey === undefined) return undefined;
    const ids = await sealer.idsOfKey(tenantId, place, idempotencyKey);
    const comparable = toComparable(submission, requester);
    return { tenantId, ids, comparable, reused: 'IDEMPOTENCY_KEY_REUSED', deleted: 'RESPONSE_DELETED' } as const;
  }

  return {
    /** From a respondent, at the survey's own address. The tenant follows from the survey. */
    submitPublic(survey: Definition, call: SubmissionCall, traceparent: string): Promise<Submitted> {
      const place = { scope: 'public', id: survey.surveyId } as const;
      const way = { survey, place, link: undefined, token: undefined, check: () => checkAccess(survey) };
      return submit(way, call, (response) => submittedEvents(response, traceparent));
    },

    /** From a respondent who comes through a link that leads to the survey. */
    submitThrough(visit: Visit, survey: Definition, call: SubmissionCall, traceparent: string): Promise<Submitted> {
      const { link, token } = visit;
      const place = { scope: 'link', id: link.id } as const;
      const check = () => {
        if (visit.outcome === 'refused') throw visit.error;
      };
      return submit({ survey, place, link, token, check }, call, (response) => submittedEvents(response, traceparent));
    },

    /** From a user of the tenant, on behalf of a respondent. */
    async submitFor(by: Actor, surveyId: string, call: SubmissionCall): Promise<Submitted> {
      const survey = await definitions.findForSubmission(by.tenantId, surveyId);
      const place = { scope: 'tenant', id: surveyId } as const;
      const way = { survey, place, link: undefined, token: undefined, check: () => {} };
      return submit(way, call, (response) => [
        ...submittedEvents(response, by.traceparent),
        createdOnBehalf(by, response),
      ]);
    },

    /** Whether a response, deleted since perhaps, has used a token of a single-use link up. */
    async isUsed({ id, tenantId }: Link, token: string): Promise<boolean> {
      const ids = await sealer.idsOfKey(tenantId, { scope: 'link-token', id }, token);
      const used = ids.map(async (one) => {
        const sealed = await store.find(tenantId, one);
        return sealed === undefined ? deleted.has(one) : sealed.requestHash !== undefined;
      });
      return (await Promise.all(used)).includes(true);
    },
  };
}
