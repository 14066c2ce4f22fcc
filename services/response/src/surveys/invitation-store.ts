import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { AppError } from '@survey/runtime/errors/app-error';
import { parseOwnObject } from '@survey/runtime/json/parse-json';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { DefinitionService } from './definition-service.ts';

/** The identity of a single-use token, with the metadata of its recipient. Without metadata, none is stored. */
export interface InvitationDocument {
  /** Id of the invitation. It is derived from the token, and gives no access. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly link_id: string;
  readonly metadata: EncryptedRecord;
}

export const invitationIndexes: IndexSpecs[string] = [
  { name: 'link', key: { tenant_id: 1, survey_id: 1, link_id: 1 } },
];

interface LinkRef {
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly linkId: string;
}

interface Dependencies {
  readonly collection: Collection<InvitationDocument>;
  readonly envelope: Pick<Envelope, 'cipherOf' | 'decrypt'>;
  readonly definitions: Pick<DefinitionService, 'findOwned'>;
}

export type InvitationStore = ReturnType<typeof createInvitationStore>;

/** Stores what belongs to tokens, so that a submit reads it here. */
export function createInvitationStore({ collection, envelope, definitions }: Dependencies) {
  return {
    /** Resolves when all are durable. Stored ones stay, because a repeated call has the same. */
    async store(link: LinkRef, invitations: readonly { readonly id: string; readonly text: string }[]): Promise<void> {
      const { tenantId, surveyId, linkId } = link;
      // Stores a snapshot of the survey: by its snapshots, the retention walk finds a survey, and so its invitations.
      await definitions.findOwned(tenantId, surveyId);
      const cipher = await envelope.cipherOf(tenantId);
      const documents = invitations.map(({ id, text }) => ({
        _id: id,
        tenant_id: tenantId,
        survey_id: surveyId,
        link_id: linkId,
        metadata: cipher.seal(aadOf(link, id), Buffer.from(text)),
      }));
      const outcomes = await insertBatch(collection, documents);
      const failed = outcomes.find(({ kind }) => kind === 'failed');
      if (failed !== undefined) throw new AppError('INTERNAL', { cause: failed });
    },

    /** Finds the metadata of a token. */
    async findMetadata(link: LinkRef, invitationId: string): Promise<JsonObject | undefined> {
      const { tenantId, linkId } = link;
      const found = await tenantCollection(collection, tenantId).findOne({ _id: invitationId, link_id: linkId });
      if (found === null) return undefined;
      const bytes = await envelope.decrypt(tenantId, aadOf(link, invitationId), found.metadata);
      return parseOwnObject(Buffer.from(bytes).toString());
    },
  };
}

/** Additional authenticated data. The cipher adds the tenant. */
function aadOf({ surveyId, linkId }: LinkRef, id: string): readonly string[] {
  return ['invitation', surveyId, linkId, id, 'metadata'];
}
