return await RedisLatency.Consumer.ConsumerProgram.RunAsync(args);
