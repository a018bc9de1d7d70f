using RedisLatency.Producer;

return await ProducerProgram.RunAsync(args);
