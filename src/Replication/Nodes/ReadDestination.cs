using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

internal sealed record ReadDestination(int Number, ResolvedTarget Target, string? Region, ReadingKind Reading)
{
    // Why it is polled although pushes were asked for.
    public string? Refusal { get; init; }

    public string Name => Region is null ? Target.Name : $"{Region} ({Target.Name})";

    // Polling is what some of them are left with, never what all get who were asked for pushes.
    public static IReadOnlyList<ReadDestination> Choose(
        IReadOnlyList<ResolvedTarget> targets, IReadOnlyList<KeyWay> ways, DelayOptions options)
    {
        List<ReadDestination> all = [.. targets.Select((target, number) => Choose(target, number, ways, options))];
        return all.Exists(one => one.Refusal is null) ? all : throw new RunRefusedException(all[^1].Refusal!);
    }

    private static ReadDestination Choose(
        ResolvedTarget target, int number, IReadOnlyList<KeyWay> ways, DelayOptions options)
    {
        var polled = new ReadDestination(
            number, target, options.DestinationRegions.ElementAtOrDefault(number), ReadingKind.Polling);
        var servers = ways.Where(way => way.DestinationNumber == number).Select(way => way.Destination.Require());
        try
        {
            return polled with { Reading = PushChoice.Decide(options.Reading, [.. servers], options.Prefix) };
        }
        catch (RunRefusedException refusal)
        {
            return polled with { Refusal = refusal.Message };
        }
    }
}
