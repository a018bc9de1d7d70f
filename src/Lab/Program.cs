using RedisLatency.Lab;

return await LabProgram.RunAsync(args);
