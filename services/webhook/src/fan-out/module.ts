import { topics } from '@survey/proto/catalog';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';
import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { DeliveryApi } from '../deliveries/module.ts';
import { createFanOut } from './fan-out.ts';

interface Dependencies {
  readonly deliveries: Pick<DeliveryApi, 'store' | 'states' | 'worker' | 'countDuplicates'>;
}

const consumed = [topics.survey, topics.response, topics.import, topics.webhook];

/** Creates deliveries from events. */
export function createFanOutModule(runtime: ServiceRuntime, { deliveries }: Dependencies): ServiceModule {
  const handler = createFanOut({
    webhooks: deliveries.states,
    deliveries: deliveries.store,
    clock: runtime.clock,
    worker: deliveries.worker,
    onDuplicates: deliveries.countDuplicates,
  });
  return {
    // Create the topics of other services, too: a consumer cannot start without its topics.
    topics: consumed.flatMap((topic) => [topic, deadLetterTopic(topic)]),
    stoppedFirst: [runtime.consumer({ name: 'events', topics: consumed, handler })],
  };
}
