using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Tests.Running;

public class EventRepetitionTests
{
    private const long Second = 1_000_000_000;

    [Fact]
    public void Is_OfTheSameWordsWithinAMinute_IsTrueUntilItIsOver()
    {
        var repetition = new EventRepetition();

        repetition.Is(At(0, "5 keys evicted")).ShouldBeFalse();
        repetition.Is(At(1, "5 keys evicted")).ShouldBeTrue();
        repetition.Is(At(1, "6 keys evicted")).ShouldBeFalse();
        repetition.Is(At(59, "5 keys evicted")).ShouldBeTrue();
        repetition.Is(At(61, "5 keys evicted")).ShouldBeFalse();
        repetition.Is(At(62, "6 keys evicted")).ShouldBeFalse();
    }

    private static SessionEvent At(long second, string text) => new(second * Second, "evicted", text);
}
