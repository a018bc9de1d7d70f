using RedisLatency.Fixtures;

namespace RedisLatency.Lab.Tests.SelfTest;

/// <summary>Rows that a busy machine does not disturb, lived for ten seconds.</summary>
public class TableTests
{
    [Fact]
    public async Task Rows_ThatHold_ArePrintedInTheCataloguesOrder()
    {
        await using var lab = ServiceProcess.Start(
            "Lab", "selftest", "--short", "--jobs", "2", "--only", "faults", "--only", "one-sided");

        (await lab.End()).ShouldBe(0, lab.ToString());

        var lines = lab.Output.Lines;
        lines[0].ShouldBe("one-sided: a link that delays only the way back, by 20 ms");
        lines.ShouldContain(line => line.StartsWith("faults: ", StringComparison.Ordinal));
        lines.ShouldContain("  one-sided     PASS         7       0");
        lines.ShouldContain("  faults        PASS         8       0");
        lines.ShouldAllBe(line => line.Length <= 80 || line.StartsWith("RESULT", StringComparison.Ordinal));
        lines[^1].ShouldBe("RESULT role=selftest form=short rows=2 pass=2 miss=0 failed=0 skipped=0 stopped=0 exit=0");
    }

    [Fact]
    public async Task Rows_ThroughARealServer_LeaveOutWhatItCannotDo()
    {
        await using var server = await RedisServerProcess.Start();
        await using var lab = ServiceProcess.Start(
            "Lab", "selftest", "--short", "--format", "csv", "--only", "asymmetric", "--only", "faults",
            "--redis", server.Uri, "--allow-skips");

        (await lab.End()).ShouldBe(0, lab.ToString());

        var lines = lab.Output.Lines;
        lines[0].ShouldBe("row,verdict,what,planted,reported,holds");
        lines.Count(line => line.StartsWith("asymmetric,pass,", StringComparison.Ordinal)).ShouldBe(8);
        lines.ShouldContain("faults,skipped,only the Lab's own server does wrong as it is told,,,false");
    }

    [Fact]
    public async Task Row_ThatIsSkipped_RefusesUnlessItMay()
    {
        await using var server = await RedisServerProcess.Start();
        await using var lab = ServiceProcess.Start("Lab", "selftest", "--only", "faults", "--redis", server.Uri);

        (await lab.End()).ShouldBe(3, lab.ToString());
        lab.Output.Lines[^1].ShouldContain("skipped=1 stopped=0 exit=3");
    }
}
