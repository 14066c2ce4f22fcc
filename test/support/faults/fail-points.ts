import type { Db, Document } from 'mongodb';

const WRITES = ['insert', 'update', 'findAndModify', 'delete'];
/** MongoDB's error code for a full disk. */
const OUT_OF_DISK_SPACE = 14_031;

/** A fail point of MongoDB for writes. */
export interface WriteFault {
  readonly failPoint: 'failCommand' | 'failCollectionInserts' | 'hangDuringBatchInsert';
  readonly mode: 'alwaysOn' | { readonly activationProbability: number };
  readonly data: Document;
}

/** @param appName the database of a service, which is also the name of its connections */
export const writeFault = (appName: string, mode: WriteFault['mode'], data: Document): WriteFault => ({
  failPoint: 'failCommand',
  mode,
  data: { appName, failCommands: WRITES, ...data },
});

export const diskFull = (appName: string): WriteFault =>
  writeFault(appName, 'alwaysOn', { errorCode: OUT_OF_DISK_SPACE });

export const enableFault = (admin: Db, { failPoint, mode, data }: WriteFault): Promise<Document> =>
  admin.command({ configureFailPoint: failPoint, mode, data });

export const disableFault = (admin: Db, { failPoint }: WriteFault): Promise<Document> =>
  admin.command({ configureFailPoint: failPoint, mode: 'off' });

/** Makes the primary step down for some seconds. */
export const stepDownPrimary = (admin: Db, seconds: number): Promise<Document> =>
  admin.command({ replSetStepDown: seconds, secondaryCatchUpPeriodSecs: 0, force: true });
