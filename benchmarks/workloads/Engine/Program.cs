using RedisLatency.EngineRun;

// `compare` runs this beside other programs: one run per line of key=value words, and a line of key=value as its
// answer; in one process, so that what is compiled once does not count again. With arguments, they are the only line.
if (args.Length > 0)
    return EngineSlice.Run(args, Console.Out) ? 0 : 1;
while (Console.In.ReadLine() is { } line)
{
    if (!EngineSlice.Run(line.Split(' ', StringSplitOptions.RemoveEmptyEntries), Console.Out))
        return 1;
}

return 0;
