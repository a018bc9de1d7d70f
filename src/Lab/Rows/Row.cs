using RedisLatency.Lab.Findings;
using RedisLatency.Lab.Worlds;

namespace RedisLatency.Lab.Rows;

/// <summary>A line of the self-test's table: a world, and what the suite must report of it.</summary>
/// <param name="Name">What is typed after <c>--only</c>.</param>
/// <param name="Title">What is planted, in a line.</param>
/// <param name="World">The world, of the length that is given.</param>
/// <param name="Check">What must have been reported.</param>
internal sealed record Row(
    string Name, string Title, Func<TimeSpan, World> World, Func<Observation, IEnumerable<Finding>> Check)
{
    /// <summary>Whether it judges microseconds, which other rows beside it would disturb.</summary>
    public bool NeedsMachine { get; init; }
}
