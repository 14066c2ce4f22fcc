import { timestampDate } from '@bufbuild/protobuf/wkt';
import { GetLinkBySlugResponseSchema } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import {
  type CreateLinkRequest,
  LinkSchema,
  type UpdateLinkRequest,
} from '@survey/proto/survey/surveys/v1/link_service_pb';
import { invitationIdOf } from '@survey/runtime/auth/link-token';
import { toMessageFields } from '@survey/runtime/rpc/message-fields';
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
  const clearable = { expiresAt: expiresAt && timestampDate(expiresAt), maxResponses, password };
  const fields: Required<Omit<LinkChange, 'active'>> = { slug, ...clearable };
  return { ...pickMasked(fields, request.updateMask), ...(active === undefined ? {} : { active }) };
}

export function toLinkMessage(link: Link, tokens: readonly string[] = []) {
  return toMessageFields(LinkSchema, {
    ...link,
    singleUse: link.tokenKey !== undefined,
    hasPassword: link.passwordHash !== undefined,
    tokens,
    invitationIds: tokens.map(invitationIdOf),
  });
}

/** For the response service, which checks access. */
export function toLinkBySlugMessage(link: Link, { tokenKey, passwordHash }: OpenedSecrets) {
  return toMessageFields(GetLinkBySlugResponseSchema, {
    ...link,
    linkId: link.id,
    singleUse: link.tokenKey !== undefined,
    tokenKey: new Uint8Array(tokenKey ?? []),
    passwordHash,
  });
}
