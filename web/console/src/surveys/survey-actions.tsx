import type { Survey } from '@survey/client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useCan, useClient } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { useIdempotency } from '../ui/idempotency-key.ts';
import { useNavigateAfter } from '../ui/use-navigate-after.ts';
import {
  describeFindings,
  type SurveyRecord,
  surveyKey,
  useDefinition,
  useInvalidateSurvey,
  useReport,
} from './use-survey.ts';

interface Action {
  readonly label: string;
  readonly variant?: 'primary' | 'danger';
  readonly title: string;
  readonly text: ReactNode;
  readonly submitLabel: string;
  readonly run: () => Promise<void>;
}

/** Buttons that publish, close, duplicate and delete a survey. Each asks for confirmation. */
export function SurveyActions({ record: { survey, etag } }: { readonly record: SurveyRecord }) {
  const client = useClient();
  const can = useCan();
  const announce = useAnnounce();
  const navigate = useNavigateAfter();
  const invalidateSurvey = useInvalidateSurvey();
  const sendOnce = useIdempotency();
  const queryClient = useQueryClient();
  const ifMatch = etag;

  const actions: readonly (Action | false)[] = [
    can('surveys:write') &&
      (survey.status !== 'active' || survey.has_draft) && {
        label: survey.has_draft ? 'Publish the draft' : 'Publish',
        variant: 'primary',
        title: 'Publish this survey?',
        text: <PublishText survey={survey} />,
        submitLabel: 'Publish',
        run: async () => {
          await client.surveys.publish(survey.id, { ifMatch });
          announce('The survey is published.');
          await invalidateSurvey(survey.id);
        },
      },
    can('surveys:write') &&
      survey.status === 'active' && {
        label: 'Close',
        title: 'Close this survey?',
        text: 'Respondents can no longer answer. You can publish it again.',
        submitLabel: 'Close',
        run: async () => {
          await client.surveys.close(survey.id, { ifMatch });
          announce('The survey is closed.');
          await invalidateSurvey(survey.id);
        },
      },
    can('surveys:write') && {
      label: 'Duplicate',
      title: 'Duplicate this survey?',
      text: `A new draft survey gets the definition of version ${survey.version}, the project and the settings. It gets no responses and no links.`,
      submitLabel: 'Duplicate',
      run: async () => {
        const copy = await sendOnce(etag, (idempotencyKey) => client.surveys.duplicate(survey.id, { idempotencyKey }));
        announce('The survey is duplicated. You see the copy.');
        await invalidateSurvey();
        await navigate({ to: '/surveys/$surveyId', params: { surveyId: copy.id } });
      },
    },
    can('surveys:delete') && {
      label: 'Delete',
      variant: 'danger',
      title: 'Delete this survey?',
      text: 'It rejects responses, and is listed only among deleted surveys. There you can restore it for a time that the operator sets, usually 30 days. Then it is erased with its responses.',
      submitLabel: 'Delete',
      run: async () => {
        await client.surveys.delete(survey.id, { ifMatch });
        announce('The survey is deleted. You can restore it from the list of deleted surveys.');
        await navigate({ to: '/surveys' });
        queryClient.removeQueries({ queryKey: surveyKey(survey.id) });
        await invalidateSurvey();
      },
    },
  ];
  return actions
    .filter((action) => action !== false)
    .map((action) => <ActionButton key={action.label} action={action} />);
}

function ActionButton({ action }: { readonly action: Action }) {
  // Keep the action from when the dialog opened, because it applies to the survey as the user saw it then.
  const [opened, setOpened] = useState(action);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        {...(action.variant === undefined ? {} : { variant: action.variant })}
        onPress={() => {
          setOpened(action);
          setOpen(true);
        }}
      >
        {action.label}
      </Button>
      <FormDialog
        title={opened.title}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submitLabel={opened.submitLabel}
        isDangerous={opened.variant === 'danger'}
        onSubmit={opened.run}
      >
        {typeof opened.text === 'string' ? <p>{opened.text}</p> : opened.text}
      </FormDialog>
    </>
  );
}

function PublishText({ survey }: { readonly survey: Survey }) {
  const definition = useDefinition(survey, survey.has_draft ? 'draft' : undefined);
  const report = useReport(survey, definition.data);
  return (
    <>
      <p>
        {survey.has_draft
          ? `The draft becomes version ${survey.version + 1}. Respondents who begin from then on see it.`
          : 'Respondents can answer it from then on, within its settings.'}
      </p>
      {report.data !== undefined && (
        <p role="status">
          It has {describeFindings(report.data)}.{report.data.valid ? '' : ' With errors, it cannot be published.'}
        </p>
      )}
    </>
  );
}
