import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type CompiledSurvey, checkOpen, checkOwnAddress } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { LinkFields } from './link.ts';
import type { LinkService } from './link-service.ts';

/** A survey, and the link through which it is answered. */
export interface Entrance {
  readonly survey: CompiledSurvey;
  readonly link?: LinkFields | undefined;
}

interface Door {
  readonly tenantId: TenantId;
  readonly surveyId: string;
  /** Undefined for the survey's own address. */
  readonly linkId: string | undefined;
  /** The last known slug of the link. Without it, the link takes another read of the database. */
  readonly slug?: string | undefined;
}

/**
 * Finds survey and link as they are now. Throws if one of them accepts no responses: it is closed, expired or deleted,
 * or its tenant is suspended or deleted. Call it again after a wait, before you store something.
 */
export type Enter = (door: Door) => Promise<Entrance>;

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findAtOwnAddress' | 'findForRespondent'>;
  readonly links: Pick<LinkService, 'findOpen'>;
  readonly clock: () => Date;
}

export function createEnter({ definitions, links, clock }: Dependencies): Enter {
  return async ({ tenantId, surveyId, linkId, slug }) => {
    if (linkId === undefined) {
      const survey = await definitions.findAtOwnAddress(tenantId, surveyId);
      checkOpen(survey, clock());
      checkOwnAddress(survey);
      return { survey };
    }
    const survey = await definitions.findForRespondent(tenantId, surveyId);
    checkOpen(survey, clock());
    return { survey, link: await links.findOpen(tenantId, linkId, slug) };
  };
}
