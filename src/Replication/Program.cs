using RedisLatency.Replication;

return await ReplicationProgram.RunAsync(args);
