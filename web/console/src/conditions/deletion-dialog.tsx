import type { ResponseDeletionPlan, ResponseDeletionProgress } from '@survey/client';
import type { ConditionSource } from '@survey/questionnaire/conditions/condition-sources';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient } from '../session/session.tsx';
import { type ResponseFilter, surveyResponsesKey, waitForReading } from '../surveys/response-counts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, FormDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { countOf, formatNumber } from '../ui/format.tsx';
import { Progress } from '../ui/states.tsx';
import { SelectionFacts } from './selection-facts.tsx';

interface Props {
  readonly surveyId: string;
  /** The filters and conditions of the list. */
  readonly filter: ResponseFilter;
  readonly sources: readonly ConditionSource[];
  readonly onClose: () => void;
}

/**
 * Deletes the responses that match filters and conditions: plans the deletion, shows what it would delete, and deletes
 * after the user has typed the number.
 */
export function DeletionDialog({ surveyId, filter: current, sources, onClose }: Props) {
  // Keep the selection of the time when the dialog opened.
  const [filter] = useState(current);
  const { planDeletion, deleteSome } = useDeletion(surveyId, filter);
  const [plan, setPlan] = useState<ResponseDeletionPlan>();
  const [progress, setProgress] = useState<ResponseDeletionProgress>();
  const [typed, setTyped] = useState('');
  const queryClient = useQueryClient();

  async function deleteAll({ plan_id, count }: ResponseDeletionPlan): Promise<void> {
    if (Number(typed) !== count) throw new Error('This is not the number of responses.');
    try {
      for (let isComplete = false; !isComplete; ) {
        const next = await deleteSome({ plan_id, expected_count: count });
        setProgress(next);
        isComplete = next.complete;
      }
    } finally {
      await queryClient.invalidateQueries({ queryKey: surveyResponsesKey(surveyId) });
    }
  }

  if (progress?.complete === true) {
    return (
      <Dialog title="Delete responses" isOpen onClose={onClose}>
        <p role="status">{describeEnd(progress)}</p>
        <div className="dialog-actions">
          <Button variant="primary" onPress={onClose}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  }
  if (plan === undefined || plan.count === 0) {
    return (
      <FormDialog
        title="Delete responses"
        isOpen
        onClose={onClose}
        submitLabel="Count them"
        closesAfterSubmit={false}
        onSubmit={async () => setPlan(await planDeletion())}
      >
        {Object.keys(filter).length === 0 ? (
          <p>All responses to this survey, in all states. To delete some of them, set filters or conditions first.</p>
        ) : (
          <>
            <p>The responses that match the filters and conditions of the list:</p>
            <SelectionFacts filter={filter} sources={sources} />
          </>
        )}
        <p role="status">{plan === undefined ? 'The first step only counts them.' : 'No responses match.'}</p>
      </FormDialog>
    );
  }
  const { count, sample_ids } = plan;
  return (
    <FormDialog
      title={`Delete ${countOf(count, 'response', 'responses')}?`}
      isOpen
      onClose={onClose}
      submitLabel={`Delete ${countOf(count, 'response', 'responses')}`}
      isDangerous
      closesAfterSubmit={false}
      onSubmit={() => deleteAll(plan)}
    >
      <SelectionFacts filter={filter} sources={sources} />
      <p>Their answers and files are deleted. You cannot restore them. Responses that change meanwhile stay.</p>
      <details>
        <summary>{count > sample_ids.length ? `The oldest ${sample_ids.length}` : 'These responses'}</summary>
        <ul className="sample-ids">
          {sample_ids.map((responseId) => (
            <li key={responseId}>
              <Link
                to="/surveys/$surveyId/responses/$responseId"
                params={{ surveyId, responseId }}
                target="_blank"
                rel="opener"
              >
                <code>{responseId}</code>
              </Link>
            </li>
          ))}
        </ul>
      </details>
      <TextField
        label="Number of responses, to confirm"
        description={`Type ${count}.`}
        type="number"
        required
        min={0}
        value={typed}
        onChange={setTyped}
      />
      {progress !== undefined && (
        <Progress
          label="Deleted responses"
          share={(count - progress.remaining) / count}
          text={`${formatNumber(count - progress.remaining)} of ${formatNumber(count)}`}
        />
      )}
    </FormDialog>
  );
}

/** The requests of a deletion. They are repeated while the platform needs longer, because it goes on. */
function useDeletion(surveyId: string, filter: ResponseFilter) {
  const client = useClient();
  const isUnfiltered = Object.keys(filter).length === 0;
  const plan = useMutation({
    mutationFn: () =>
      client.responses.planDeletion(surveyId, { ...filter, ...(isUnfiltered ? { all: true } : {}), dry_run: true }),
    ...waitForReading,
  });
  const execution = useMutation({
    mutationFn: ({ plan_id, expected_count }: Pick<ResponseDeletionPlan, 'plan_id'> & { expected_count: number }) =>
      client.responses.deletePlanned(surveyId, plan_id, { expected_count }),
    ...waitForReading,
  });
  return { planDeletion: plan.mutateAsync, deleteSome: execution.mutateAsync };
}

function describeEnd({ deleted, skipped }: ResponseDeletionProgress): string {
  const done = `${countOf(deleted, 'response is deleted', 'responses are deleted')}.`;
  if (skipped === 0) return done;
  const rest = countOf(skipped, 'response was changed or deleted', 'responses were changed or deleted');
  return `${done} ${rest} meanwhile, and not by this deletion.`;
}
