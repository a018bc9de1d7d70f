namespace RedisLatency.Workloads.Commands;

/// <summary>Commands to be sent again, and what they are called, in the order in which they come first.</summary>
internal sealed record Replay(IReadOnlyList<string> Names, ReplayedCommand[] Commands)
{
    // How much of the file is not sent, and why; null where all is.
    public string? LeftOut { get; init; }

    public IEnumerable<CommandTemplate> Templates => Names.Select((name, place) => CommandText.OfAnyArguments(name) with
    {
        Replayed = Commands,
        LeftOut = place == 0 ? LeftOut : null,
    });
}
