using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Sync.Verify;

internal static class VerifyCommand
{
    public const string Name = "verify";

    public static ServiceCommand Create() => new ServiceCommand<SyncOptions>(
        Name,
        "Compares two Redis key by key: types, values and times to live. Writes to neither. Exits with 99 where they "
            + "differ.",
        VerifyCatalogue.Create(),
        (command, _) =>
        {
            var plan = new SyncPlan(Name, command);
            return Task.FromResult(RunHost.Run(plan.Options.Output, run => new VerifyRun(plan, run).Run()));
        })
    {
        Examples =
        [
            new("Compare all keys", "verify 10.0.0.5 10.2.0.5"),
            new("One key of a hundred, and what differs into a file",
                "verify a:6379 redis+cluster://b:7000 --sample 0.01 --differences diff.jsonl"),
            new("What a synchronisation with the same filters and changes has carried over",
                "verify a:6379 b:6379 --allow-key-prefix user: --rename-prefix user:=customer:"),
        ],
    };
}
