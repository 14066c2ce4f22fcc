import { timestampDate } from '@bufbuild/protobuf/wkt';
import { DefinitionService, type GetLinkBySlugResponse } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { Link } from './link.ts';
import type { FindSlug, LinkSource } from './link-service.ts';
import { sourceDeadlineMs } from './snapshots.ts';

const SLUG_TIMEOUT_MS = 1_000;

/** Reads links from the survey service by slug. Requests name no tenant: the reply names the tenant of the link. */
export function createLinkClient(connection: ServiceConnection): LinkSource {
  const client = connection.client(DefinitionService);
  return async (slug, known) => {
    const options = { ...callOptionsFor({}), timeoutMs: sourceDeadlineMs(known) };
    try {
      return toLink(slug, await client.getLinkBySlug({ slug }, options));
    } catch (error) {
      if (error instanceof AppError && error.code === 'LINK_NOT_FOUND') return undefined;
      throw error;
    }
  };
}

/** Reads the current slug of a link from the survey service. Returns undefined if the link is deleted. */
export function createSlugClient(connection: ServiceConnection): FindSlug {
  const client = connection.client(DefinitionService);
  return async (tenantId: TenantId, linkId: string) => {
    const options = { ...callOptionsFor({ claims: { tenantId } }), timeoutMs: SLUG_TIMEOUT_MS };
    try {
      return (await client.getLinkSlug({ linkId }, options)).slug;
    } catch (error) {
      if (error instanceof AppError && error.code === 'LINK_NOT_FOUND') return undefined;
      throw error;
    }
  };
}

function toLink(slug: string, found: GetLinkBySlugResponse): Link {
  const { linkId, tenantId, surveyId, active, expiresAt, maxResponses, singleUse, passwordHash, revision } = found;
  return {
    id: linkId,
    slug,
    // The previous release does not send it.
    currentSlug: found.slug === '' ? slug : found.slug,
    tenantId: toTenantId(tenantId),
    surveyId,
    active,
    expiresAt: expiresAt && timestampDate(expiresAt),
    maxResponses,
    singleUse,
    tokenKey: singleUse ? found.tokenKey : undefined,
    passwordHash,
    revision,
  };
}
