import { runProcess } from '@survey/runtime/service/run-process';
import { createWebhookApp } from './app.ts';
import { settings } from './config.ts';

await runProcess({ name: 'webhook', settings, createApp: createWebhookApp });
