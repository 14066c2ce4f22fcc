import { runProcess } from '@survey/runtime/service/run-process';
import { createGatewayApp } from './app.ts';
import { settings } from './config.ts';

await runProcess({ name: 'gateway', settings, createApp: createGatewayApp });
