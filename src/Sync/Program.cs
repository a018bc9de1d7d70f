using RedisLatency.Sync;

return await SyncProgram.RunAsync(args);
