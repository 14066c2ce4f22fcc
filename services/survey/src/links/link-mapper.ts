import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetLinkBySlugResponseSchema } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import type { CreateLinkRequest, LinkSchema, UpdateLinkRequest } from '@survey/proto/survey/surveys/v1/link_service_pb';
import type { Link } from './link.ts';
import type { OpenedSecrets } from './link-secrets.ts';
import type { LinkChange, NewLink } from './link-service.ts';

export function toNewLink(request: CreateLinkRequest): NewLink {
  const { slug, active = true, expiresAt, maxResponses, singleUse, tokenCount, password } = request;
  const expires = expiresAt && timestampDate(expiresAt);
  return { slug, active, expiresAt: expires, maxResponses, singleUse, tokenCount, password };
}

/** What the request's mask names; what it names and does not have is cleared. */
export function toLinkChange({ updateMask, slug, active, ...request }: UpdateLinkRequest): LinkChange {
  const asked = new Set(updateMask?.paths);
  const { expiresAt, maxResponses, password } = request;
  return {
    ...(asked.has('slug') ? { slug } : {}),
    ...(active === undefined ? {} : { active }),
    ...(asked.has('expires_at') ? { expiresAt: expiresAt && timestampDate(expiresAt) } : {}),
    ...(asked.has('max_responses') ? { maxResponses } : {}),
    ...(asked.has('password') ? { password } : {}),
  };
}

export function toLinkMessage(link: Link, tokens: readonly string[] = []): MessageInitShape<typeof LinkSchema> {
  return {
    id: link.id,
    surveyId: link.surveyId,
    slug: link.slug,
    active: link.active,
    expiresAt: link.expiresAt && timestampFromDate(link.expiresAt),
    maxResponses: link.maxResponses,
    singleUse: link.tokenKey !== undefined,
    hasPassword: link.passwordHash !== undefined,
    createdAt: timestampFromDate(link.createdAt),
    updatedAt: timestampFromDate(link.updatedAt),
    createdBy: link.createdBy,
    updatedBy: link.updatedBy,
    tokens: [...tokens],
  };
}

/** For the service that lets respondents in. */
export function toLinkBySlugMessage(
  link: Link,
  opened: OpenedSecrets,
): MessageInitShape<typeof GetLinkBySlugResponseSchema> {
  return {
    linkId: link.id,
    tenantId: link.tenantId,
    surveyId: link.surveyId,
    active: link.active,
    expiresAt: link.expiresAt && timestampFromDate(link.expiresAt),
    maxResponses: link.maxResponses,
    singleUse: link.tokenKey !== undefined,
    tokenKey: new Uint8Array(opened.tokenKey ?? []),
    passwordHash: opened.passwordHash,
    revision: link.revision,
  };
}
