namespace RedisLatency.Hosting.Running;

public sealed class ExitCodeTests
{
    private static readonly int[] FromWorstToBest = [1, 2, 3, 6, 5, 4, 99, 130, 143, 0];

    [Fact]
    public void Combine_OfAnyTwo_GivesTheOneThatTakesPrecedence()
    {
        for (var first = 0; first < FromWorstToBest.Length; first++)
        {
            for (var second = 0; second < FromWorstToBest.Length; second++)
            {
                ExitCode.Combine(FromWorstToBest[first], FromWorstToBest[second])
                    .ShouldBe(FromWorstToBest[Math.Min(first, second)]);
            }
        }
    }

    [Fact]
    public void Combine_WithWhatIsNoExitCode_IsRefused() =>
        Should.Throw<ArgumentOutOfRangeException>(() => ExitCode.Combine(0, 7));
}
