using RedisLatency.Workloads;

return await WorkloadsProgram.RunAsync(args);
