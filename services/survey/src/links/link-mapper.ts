import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetLinkBySlugResponseSchema } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import type { CreateLinkRequest, LinkSchema, UpdateLinkRequest } from '@survey/proto/survey/surveys/v1/link_service_pb';
import type { CompleteFields } from '@survey/runtime/rpc/complete-fields';
import { pickMasked } from '@survey/runtime/rpc/update-mask';
import type { Link } from './link.ts';
import type { OpenedSecrets } from './link-secrets.ts';
import type { LinkChange, NewLink } from './link-service.ts';

export function toNewLink(request: CreateLinkRequest): NewLink {
  const { slug, active = true, expiresAt, maxResponses, singleUse, tokenCount, password } = request;
  const expires = expiresAt && timestampDate(expiresAt);
  return { slug, active, expiresAt: expires, maxResponses, singleUse, tokenCount, password };
}

/** The fields in the update mask; fields without a value are cleared. */
export function toLinkChange(request: UpdateLinkRequest): LinkChange {
  const { slug, active, expiresAt, maxResponses, password } = request;
  const cleared = { expiresAt: expiresAt && timestampDate(expiresAt), maxResponses, password };
  const fields: Required<Omit<LinkChange, 'active'>> = { slug, ...cleared };
  return { ...pickMasked(fields, request.updateMask), ...(active === undefined ? {} : { active }) };
}

export function toLinkMessage(link: Link, tokens: readonly string[] = []): CompleteFields<typeof LinkSchema> {
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

/** For the response service, which checks access. */
export function toLinkBySlugMessage(
  link: Link,
  opened: OpenedSecrets,
): CompleteFields<typeof GetLinkBySlugResponseSchema> {
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
