import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice, Loading } from '../ui/states.tsx';
import { Attempt } from './attempt.tsx';
import { useRefreshWebhooks } from './webhook.ts';

interface Props {
  readonly webhookId: string;
  readonly onClose: () => void;
}

/** Sends a test event, and shows the reply of the receiver. */
export function TestDialog({ webhookId, onClose }: Props) {
  const client = useClient();
  const refresh = useRefreshWebhooks();
  // Send one test each time the dialog opens. The query cache prevents a second one when the component renders again.
  const [openedAt] = useState(() => Date.now());
  const result = useQuery({
    queryKey: ['webhook-tests', webhookId, openedAt],
    queryFn: () => client.webhooks.test(webhookId),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const isDone = result.isSuccess;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists are read again once, after the test.
  useEffect(() => {
    if (isDone) void refresh();
  }, [isDone]);

  return (
    <Dialog title="Test event" isOpen onClose={onClose}>
      {result.isPending && <Loading label="Waiting for the reply of the receiver, at most 30 seconds…" />}
      {result.isError && <ErrorNotice error={result.error} />}
      {result.data !== undefined && (
        <>
          <p>{result.data.status === 'delivered' ? 'The receiver accepted the event.' : 'The test failed.'}</p>
          {result.data.attempts.map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </>
      )}
      <div className="dialog-actions">
        {result.data !== undefined && (
          <Link
            className="button"
            to="/webhooks/$webhookId/deliveries/$deliveryId"
            params={{ webhookId, deliveryId: result.data.id }}
          >
            Show the delivery
          </Link>
        )}
        <Button variant="primary" onPress={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
