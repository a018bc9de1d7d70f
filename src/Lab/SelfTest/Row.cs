using RedisLatency.Lab.Worlds;

namespace RedisLatency.Lab.SelfTest;

/// <summary>A line of the self-test's table: a world of a given length, and what must be reported of it.</summary>
internal sealed record Row(
    string Name, string Title, Func<TimeSpan, World> Plant, Func<Observation, IEnumerable<Finding>> Check)
{
    /// <summary>Whether it judges microseconds, which other rows beside it would disturb.</summary>
    public bool NeedsMachine { get; init; }

    public World World(TimeSpan length) => Plant(length) with { Name = Name, Length = length };
}
