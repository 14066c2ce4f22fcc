import type { JsonObject } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import { GetLinkBySlugResponseSchema } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import {
  type CreateLinkRequest,
  LinkSchema,
  LinkService as LinkServiceDesc,
  type UpdateLinkRequest,
} from '@survey/proto/survey/surveys/v1/link_service_pb';
import { invitationIdOf } from '@survey/runtime/auth/link-token';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { setEtag, toEditTarget } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { pickMasked, toMessageFields } from '@survey/runtime/rpc/message-fields';
import type { Link } from './link.ts';
import type { OpenedSecrets } from './link-secrets.ts';
import type { LinkChange, LinkService, NewLink } from './link-service.ts';

interface Dependencies {
  readonly links: LinkService;
  readonly idempotency: Idempotency;
}

export function createLinkHandler({ links, idempotency }: Dependencies) {
  const { createLink, createLinkTokens } = LinkServiceDesc.method;

  async function toMessage(link: Link, tokens?: readonly string[]) {
    return toLinkMessage(link, await links.metadataOf(link), tokens);
  }

  async function reply(link: Link, context: HandlerContext, tokens?: readonly string[]) {
    setEtag(context, link.revision);
    return { link: await toMessage(link, tokens) };
  }

  return implement(LinkServiceDesc, {
    async createLink(request, context) {
      const result = await idempotency.run(createLink, request, context, async (id) => {
        const { link, tokens } = await links.create(tenantCallOf(context), id, request.surveyId, toNewLink(request));
        return reply(link, context, tokens);
      });
      context.responseHeader.set('location', `${API_PREFIX}/links/${result.link?.id}`);
      return result;
    },

    async listLinks({ surveyId, ...page }, context) {
      const { items, nextCursor } = await links.list(tenantCallOf(context).tenantId, surveyId, toPageQuery(page));
      return { links: await Promise.all(items.map((link) => toMessage(link))), nextCursor: nextCursor ?? '' };
    },

    async getLink({ linkId }, context) {
      return reply(await links.get(tenantCallOf(context).tenantId, linkId), context);
    },

    async updateLink(request, context) {
      return reply(await links.change(toEditTarget(context, request.linkId), toLinkChange(request)), context);
    },

    async deleteLink({ linkId }, context) {
      await links.remove(toEditTarget(context, linkId));
      return {};
    },

    async createLinkTokens(request, context) {
      const { linkId, count } = request;
      const recipients = request.recipients.map(({ metadata = {} }) => metadata);
      const result = await idempotency.run(createLinkTokens, request, context, async (batchId) => {
        const tokens = await links.createTokens(toEditTarget(context, linkId), batchId, { count, recipients });
        return { tokens: [...tokens], invitationIds: tokens.map(invitationIdOf) };
      });
      // Tokens have no URL of their own, so use the URL of their link.
      context.responseHeader.set('location', `${API_PREFIX}/links/${linkId}`);
      return result;
    },
  });
}

function toNewLink(request: CreateLinkRequest): NewLink {
  const { slug, active = true, expiresAt, maxResponses, singleUse, tokenCount, password, metadata } = request;
  const expires = expiresAt && timestampDate(expiresAt);
  return { slug, active, expiresAt: expires, maxResponses, singleUse, tokenCount, password, metadata };
}

/** Returns the fields of the update mask. Fields without a value are cleared. */
function toLinkChange(request: UpdateLinkRequest): LinkChange {
  // The contract requires `active` if the mask names it.
  const { slug, active = true, expiresAt, maxResponses, password, metadata } = request;
  const fields: Required<LinkChange> = {
    slug,
    active,
    expiresAt: expiresAt && timestampDate(expiresAt),
    maxResponses,
    password,
    metadata,
  };
  return pickMasked(fields, request.updateMask);
}

function toLinkMessage(link: Link, metadata: JsonObject | undefined, tokens: readonly string[] = []) {
  return toMessageFields(LinkSchema, {
    ...link,
    singleUse: link.sealedTokenKey !== undefined,
    hasPassword: link.sealedPasswordHash !== undefined,
    tokens,
    invitationIds: tokens.map(invitationIdOf),
    metadata,
  });
}

/** For the response service, which checks access. */
export function toLinkBySlugMessage(link: Link, { tokenKey, passwordHash, metadata }: OpenedSecrets) {
  return toMessageFields(GetLinkBySlugResponseSchema, {
    ...link,
    linkId: link.id,
    singleUse: link.sealedTokenKey !== undefined,
    tokenKey: new Uint8Array(tokenKey ?? []),
    passwordHash,
    metadata,
  });
}
