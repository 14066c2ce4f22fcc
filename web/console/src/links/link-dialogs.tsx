import { type CreateLinkRequest, type Link, limits, type UpdateLinkRequest } from '@survey/client';
import { type ReactNode, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { useInvalidateSurvey } from '../surveys/use-survey.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { FormDialog, RecordLoader, type RecordWithEtag } from '../ui/dialog.tsx';
import { Checkbox, SelectField, TextField } from '../ui/fields.tsx';
import { formatNumber, fromChangedLocalTime, fromLocalTime, toLocalTime } from '../ui/format.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { type AllMembers, removeUndefined } from '../ui/search-values.ts';
import { LimitFields, PasswordField } from './link-fields.tsx';
import type { NewTokens } from './link-tokens-dialog.tsx';

interface CreateProps {
  readonly surveyId: string;
  readonly onClose: () => void;
  readonly onTokens: (tokens: NewTokens) => void;
}

const SLUG = limits.CreateLinkRequest.slug;
const MAX_TOKENS = formatNumber(limits.CreateLinkTokensRequest.count.max);

type Kind = 'public' | 'password' | 'single_use';

export function CreateLinkDialog({ surveyId, onClose, onTokens }: CreateProps) {
  const client = useClient();
  const announce = useAnnounce();
  const invalidateSurvey = useInvalidateSurvey();
  const sendOnce = useIdempotency();
  const [kind, setKind] = useState<Kind>('public');
  const [slug, setSlug] = useState('');
  const [password, setPassword] = useState('');
  const [tokenCount, setTokenCount] = useState('10');
  const [maxResponses, setMaxResponses] = useState('');
  const [expiresAt, setExpiresAt] = useState('');

  async function create(): Promise<void> {
    // New links are active. The dialog has no field for metadata.
    const input = removeUndefined<AllMembers<CreateLinkRequest, 'active' | 'metadata'>>({
      slug: slug === '' ? undefined : slug,
      password: kind === 'password' ? password : undefined,
      single_use: kind === 'single_use' ? true : undefined,
      token_count: kind === 'single_use' ? Number(tokenCount) : undefined,
      max_responses: maxResponses === '' ? undefined : Number(maxResponses),
      expires_at: fromLocalTime(expiresAt),
    });
    const link = await sendOnce(input, (idempotencyKey) => client.links.create(surveyId, input, { idempotencyKey }));
    announce('The link is created.');
    if (link.tokens.length > 0) onTokens({ slug: link.slug, tokens: link.tokens, invitationIds: link.invitation_ids });
    await invalidateSurvey(surveyId);
  }

  return (
    <FormDialog title="New link" isOpen onClose={onClose} submitLabel="Create" onSubmit={create}>
      <SelectField
        label="Access"
        value={kind}
        onChange={setKind}
        options={[
          { value: 'public', label: 'Everybody with the address' },
          { value: 'password', label: 'Everybody with a password' },
          { value: 'single_use', label: 'One token for each response' },
        ]}
      />
      {kind === 'password' && <PasswordField value={password} onChange={setPassword} required />}
      {kind === 'single_use' && (
        <TextField
          label="Number of tokens"
          description={`At most ${MAX_TOKENS}. You see them once, and can create more later.`}
          type="number"
          required
          value={tokenCount}
          onChange={setTokenCount}
        />
      )}
      <TextField
        label="Slug (last part of the address)"
        description={`3 to ${SLUG.maxLength} lower-case letters, digits and single hyphens. Empty for an unguessable one.`}
        {...SLUG}
        value={slug}
        onChange={setSlug}
      />
      <LimitFields
        maxResponses={maxResponses}
        onMaxResponses={setMaxResponses}
        expiresAt={expiresAt}
        onExpiresAt={setExpiresAt}
      />
    </FormDialog>
  );
}

interface LinkDialogProps {
  readonly linkId: string;
  readonly onClose: () => void;
}

/** Changes a link. */
export function EditLinkDialog({ linkId, onClose }: LinkDialogProps) {
  return (
    <FreshLink linkId={linkId} title="Change the link" onClose={onClose}>
      {(record) => <EditLinkForm {...record} onClose={onClose} />}
    </FreshLink>
  );
}

/** Deletes a link. */
export function DeleteLinkDialog({ linkId, onClose }: LinkDialogProps) {
  return (
    <FreshLink linkId={linkId} title="Delete the link?" onClose={onClose}>
      {(record) => <DeleteLinkForm {...record} onClose={onClose} />}
    </FreshLink>
  );
}

interface FreshLinkProps extends LinkDialogProps {
  /** Title of the dialog. */
  readonly title: string;
  readonly children: (fresh: RecordWithEtag<Link>) => ReactNode;
}

function FreshLink({ linkId, ...props }: FreshLinkProps) {
  const client = useClient();
  return (
    <RecordLoader
      {...props}
      queryKey={['link', linkId]}
      read={(signal) => client.links.get(linkId, { signal }).withResponse()}
    />
  );
}

interface LinkFormProps extends RecordWithEtag<Link> {
  readonly onClose: () => void;
}

function EditLinkForm({ record: link, etag, onClose }: LinkFormProps) {
  const client = useClient();
  const announce = useAnnounce();
  const invalidateSurvey = useInvalidateSurvey();
  const [isActive, setActive] = useState(link.active);
  const [slug, setSlug] = useState(link.slug);
  const [passwordChange, setPasswordChange] = useState<'keep' | 'set' | 'remove'>('keep');
  const [password, setPassword] = useState('');
  const [maxResponses, setMaxResponses] = useState(link.max_responses === undefined ? '' : String(link.max_responses));
  const [expiresAt, setExpiresAt] = useState(toLocalTime(link.expires_at));

  async function save(): Promise<void> {
    const expiry = fromChangedLocalTime(expiresAt, link.expires_at);
    // A merge patch without `metadata` keeps it.
    const input = removeUndefined<AllMembers<UpdateLinkRequest, 'metadata'>>({
      active: isActive,
      slug: slug === link.slug ? undefined : slug,
      max_responses: maxResponses === '' ? null : Number(maxResponses),
      expires_at: expiry === link.expires_at ? undefined : (expiry ?? null),
      password: { keep: undefined, set: password, remove: null }[passwordChange],
    });
    await client.links.update(link.id, input, { ifMatch: etag });
    announce('The link is changed.');
    await invalidateSurvey(link.survey_id);
  }

  return (
    <FormDialog title="Change the link" isOpen onClose={onClose} submitLabel="Save" onSubmit={save}>
      <Checkbox label="The link is on" checked={isActive} onChange={setActive} />
      <TextField
        label="Slug (last part of the address)"
        description="If you change it, the present address and its QR code stop working."
        required
        {...SLUG}
        value={slug}
        onChange={setSlug}
      />
      <SelectField
        label="Password"
        value={passwordChange}
        onChange={setPasswordChange}
        options={[
          { value: 'keep', label: link.has_password ? 'Keep the present one' : 'None' },
          { value: 'set', label: link.has_password ? 'Set another one' : 'Set one' },
          ...(link.has_password ? [{ value: 'remove' as const, label: 'Remove it' }] : []),
        ]}
      />
      {passwordChange === 'set' && <PasswordField value={password} onChange={setPassword} required />}
      <LimitFields
        maxResponses={maxResponses}
        onMaxResponses={setMaxResponses}
        expiresAt={expiresAt}
        onExpiresAt={setExpiresAt}
      />
    </FormDialog>
  );
}

interface MoreTokensProps {
  readonly link: Link;
  readonly onClose: () => void;
  readonly onTokens: (tokens: NewTokens) => void;
}

export function MoreTokensDialog({ link, onClose, onTokens }: MoreTokensProps) {
  const client = useClient();
  const sendOnce = useIdempotency();
  const [count, setCount] = useState('10');
  return (
    <FormDialog
      title="More tokens"
      isOpen
      onClose={onClose}
      submitLabel="Create"
      onSubmit={async () => {
        const input = { count: Number(count) };
        const { tokens, invitation_ids: invitationIds } = await sendOnce(input, (idempotencyKey) =>
          client.links.createTokens(link.id, input, { idempotencyKey }),
        );
        onTokens({ slug: link.slug, tokens, invitationIds });
      }}
    >
      <p>Tokens that you created before stay valid.</p>
      <TextField
        label="Number of tokens"
        description={`At most ${MAX_TOKENS}. You see them once.`}
        type="number"
        required
        value={count}
        onChange={setCount}
      />
    </FormDialog>
  );
}

function DeleteLinkForm({ record: link, etag, onClose }: LinkFormProps) {
  const client = useClient();
  const announce = useAnnounce();
  const invalidateSurvey = useInvalidateSurvey();
  return (
    <FormDialog
      title="Delete the link?"
      isOpen
      onClose={onClose}
      submitLabel="Delete"
      isDangerous
      onSubmit={async () => {
        await client.links.delete(link.id, { ifMatch: etag });
        announce('The link is deleted.');
        await invalidateSurvey(link.survey_id);
      }}
    >
      <p>
        <code>/s/{link.slug}</code> stops working, also as a QR code. Its responses are kept. Other surveys can get the
        same address.
      </p>
    </FormDialog>
  );
}
