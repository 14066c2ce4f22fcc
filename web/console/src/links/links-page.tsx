import type { Link as SurveyLink } from '@survey/client';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { useLinkCounts } from '../surveys/response-counts.ts';
import { SurveyPage } from '../surveys/survey-page.tsx';
import { surveyKey } from '../surveys/use-survey.ts';
import { Button } from '../ui/button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatNumber, Time } from '../ui/format.tsx';
import { PagedList, usePages } from '../ui/paged-list.tsx';
import { Empty, Status } from '../ui/states.tsx';
import { CreateLinkDialog, DeleteLinkDialog, EditLinkDialog, MoreTokensDialog } from './link-dialogs.tsx';
import { LinkTokensDialog, type NewTokens } from './link-tokens-dialog.tsx';
import { QrCodeDialog } from './qr-code-dialog.tsx';
import { linkAddress } from './respondent-address.ts';

export function LinksPage() {
  const { surveyId } = useParams({ from: '/surveys/$surveyId/links' });
  const can = useCan();
  const [isCreating, setCreating] = useState(false);
  return (
    <SurveyPage
      surveyId={surveyId}
      tab="Links"
      actions={() =>
        can('links:write') && (
          <Button variant="primary" onPress={() => setCreating(true)}>
            New link
          </Button>
        )
      }
    >
      {({ survey }) => (
        <Links
          surveyId={surveyId}
          isPublished={survey.status === 'active'}
          isCreating={isCreating}
          onCloseCreate={() => setCreating(false)}
        />
      )}
    </SurveyPage>
  );
}

/** A dialog about one of the links. */
type LinkDialog = { readonly kind: 'qr' | 'edit' | 'tokens' | 'delete'; readonly link: SurveyLink };

interface Props {
  readonly surveyId: string;
  readonly isPublished: boolean;
  readonly isCreating: boolean;
  readonly onCloseCreate: () => void;
}

function Links({ surveyId, isPublished, isCreating, onCloseCreate }: Props) {
  const client = useClient();
  const [open, setOpen] = useState<LinkDialog>();
  const [tokens, setTokens] = useState<NewTokens>();
  const links = usePages([...surveyKey(surveyId), 'links'], (cursor, signal) =>
    client.links.list(surveyId, cursor === undefined ? {} : { cursor }, { signal }).page(),
  );
  const close = () => setOpen(undefined);
  return (
    <div className="stack">
      {!isPublished && (
        <div className="notice" data-tone="warn">
          <p>The survey is not active. Its links show that, and accept no responses.</p>
        </div>
      )}
      <PagedList
        query={links}
        empty={<Empty title="There are no links yet. A link has its own address, limit, expiry and password." />}
      >
        {(items) => <LinkTable surveyId={surveyId} links={items} onOpen={setOpen} />}
      </PagedList>
      {isCreating && <CreateLinkDialog surveyId={surveyId} onClose={onCloseCreate} onTokens={setTokens} />}
      {open?.kind === 'qr' && <QrCodeDialog slug={open.link.slug} onClose={close} />}
      {open?.kind === 'edit' && <EditLinkDialog linkId={open.link.id} onClose={close} />}
      {open?.kind === 'tokens' && <MoreTokensDialog link={open.link} onClose={close} onTokens={setTokens} />}
      {open?.kind === 'delete' && <DeleteLinkDialog linkId={open.link.id} onClose={close} />}
      {tokens !== undefined && <LinkTokensDialog {...tokens} onClose={() => setTokens(undefined)} />}
    </div>
  );
}

interface TableProps {
  readonly surveyId: string;
  readonly links: readonly SurveyLink[];
  readonly onOpen: (open: LinkDialog) => void;
}

function LinkTable({ surveyId, links, onOpen }: TableProps) {
  const can = useCan();
  const { data: counts, isError } = useLinkCounts(surveyId);
  const completedOf = (id: string) => {
    if (counts !== undefined) return formatNumber(counts.get(id)?.completed ?? 0);
    return isError ? 'not available' : '…';
  };
  const columns: readonly Column<SurveyLink>[] = [
    {
      header: 'Address',
      cell: ({ slug }) => (
        <a href={linkAddress(slug)} target="_blank" rel="noreferrer">
          /s/{slug}
        </a>
      ),
    },
    { header: 'State', cell: (link) => <LinkState link={link} /> },
    { header: 'Access', cell: (link) => accessOf(link) },
    {
      header: 'Completed responses',
      align: 'end',
      cell: ({ id, max_responses }) => describeUse(max_responses, completedOf(id)),
    },
    { header: 'Last response', cell: ({ id }) => counts && <Time value={counts.get(id)?.last_response_at} /> },
    {
      header: 'Expires',
      cell: ({ expires_at }) => <Time value={expires_at} />,
    },
    {
      header: 'Actions',
      cell: (link) => {
        const { slug } = link;
        return (
          <span className="row-tight">
            <Button aria-label={`QR code of ${slug}`} onPress={() => onOpen({ kind: 'qr', link })}>
              QR code
            </Button>
            {can('links:write') && (
              <>
                <Button aria-label={`Change ${slug}`} onPress={() => onOpen({ kind: 'edit', link })}>
                  Change
                </Button>
                {link.single_use && (
                  <Button aria-label={`More tokens for ${slug}`} onPress={() => onOpen({ kind: 'tokens', link })}>
                    More tokens
                  </Button>
                )}
                <Button variant="danger" aria-label={`Delete ${slug}`} onPress={() => onOpen({ kind: 'delete', link })}>
                  Delete
                </Button>
              </>
            )}
          </span>
        );
      },
    },
  ];
  return <DataTable caption="Links" rows={links} rowKey={({ id }) => id} columns={columns} />;
}

/** Describes the use of a link, such as `12 of 500`. */
function describeUse(limit: number | undefined, used: string): string {
  return limit === undefined ? used : `${used} of ${formatNumber(limit)}`;
}

function LinkState({ link: { active, expires_at } }: { readonly link: SurveyLink }) {
  if (!active) return <Status value="off" />;
  if (expires_at !== undefined && Date.parse(expires_at) <= Date.now()) return <Status value="expired" tone="warn" />;
  return <Status value="active" />;
}

function accessOf({ single_use, has_password }: SurveyLink): string {
  const ways = [single_use && 'one token for each response', has_password && 'password'].filter(Boolean);
  return ways.length === 0 ? 'everybody with the address' : ways.join(', ');
}
