return await RedisLatency.Tool.ToolProgram.RunAsync(args);
