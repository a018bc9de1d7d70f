namespace RedisLatency.Integration.BadInput;

/// <summary>Who turns checking off is told so, by every role and front end.</summary>
public sealed class UncheckedTlsTests
{
    [Theory]
    [InlineData("producer --redis rediss://127.0.0.1:1 --tls-insecure -q")]
    [InlineData("producer check --redis rediss://127.0.0.1:1 --tls-insecure")]
    [InlineData("consumer --redis rediss://127.0.0.1:1 --tls-insecure")]
    [InlineData("load --redis rediss://127.0.0.1:1 --tls-insecure --mix get=1")]
    [InlineData("scan --source rediss://127.0.0.1:1 --destination rediss://127.0.0.1:2 --tls-insecure")]
    [InlineData("replication delay --source rediss://127.0.0.1:1 --destination redis://127.0.0.1:1 --tls-insecure")]
    [InlineData("load redis-benchmark -h 127.0.0.1 -p 1 --tls --insecure")]
    [InlineData("load memtier -s 127.0.0.1 -p 1 --tls --tls-skip-verify")]
    public async Task Checking_ThatIsTurnedOff_IsSaid(string typed)
    {
        var outcome = await Outcome.OfShell($"exec \"$PROGRAM\" {typed}");

        outcome.ExitCode.ShouldNotBe(0);
        outcome.Errors.ShouldContain("certificates are not checked", Case.Sensitive, outcome.ToString());
    }

    [Fact]
    public async Task Checking_ThatIsOn_IsNotSaid() =>
        (await Outcome.Of("Producer", "--redis", "rediss://127.0.0.1:1")).Errors.ShouldNotContain("not checked");
}
