import { AnswerService } from '@survey/proto/survey/responses/v1/answer_service_pb';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { Logger } from 'pino';
import type { AnswerSource, FoundAnswers } from './answers.ts';

const DEADLINE_MS = 5_000;

/** Reads answers from the response service. */
export function createAnswerClient(connection: ServiceConnection, log: Logger): AnswerSource {
  const client = connection.client(AnswerService);

  async function fetchAnswers(tenantId: TenantId, ids: readonly string[]): Promise<FoundAnswers> {
    const options = { ...callOptionsFor({ claims: { tenantId } }), timeoutMs: DEADLINE_MS };
    const { answers, postponedIds } = await client.getAnswers({ responseIds: [...ids] }, options);
    const found = new Map(
      answers.map(({ responseId, revision, data = {}, metadata }) => [responseId, { revision, data, metadata }]),
    );
    const postponed = new Set(postponedIds);
    // Reject a reply that postpones everything: the same deliveries would be claimed without end.
    if (postponed.size >= ids.length) throw new AppError('UPSTREAM_INVALID');
    // The response of an id that is neither found nor postponed was deleted.
    const entries = ids.filter((id) => !postponed.has(id)).map((id) => [id, found.get(id)] as const);
    return { answers: new Map(entries), postponed };
  }

  /** If the service fails for some ids (`INTERNAL`), halves the batch until only unreadable responses are left out. */
  async function find(tenantId: TenantId, ids: readonly string[]): Promise<FoundAnswers> {
    try {
      return await fetchAnswers(tenantId, ids);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INTERNAL') throw error;
      if (ids.length > 1) return findByHalves(tenantId, ids);
      log.error({ err: error, tenant_id: tenantId, response_id: ids[0] }, 'cannot read the answers of a response');
      return { answers: new Map(), postponed: new Set() };
    }
  }

  async function findByHalves(tenantId: TenantId, ids: readonly string[]): Promise<FoundAnswers> {
    const middle = Math.ceil(ids.length / 2);
    const [firstHalf, rest] = [await find(tenantId, ids.slice(0, middle)), ids.slice(middle)];
    // The first half filled a whole reply, so postpone the second half too.
    if (firstHalf.postponed.size > 0) return { ...firstHalf, postponed: firstHalf.postponed.union(new Set(rest)) };
    const secondHalf = await find(tenantId, rest);
    return { answers: new Map([...firstHalf.answers, ...secondHalf.answers]), postponed: secondHalf.postponed };
  }

  return { find };
}
