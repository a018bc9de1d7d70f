using System.Text.Json;
using RedisLatency.Fixtures;

namespace RedisLatency.Lab.Tests.SelfTest;

/// <summary>How a self-test ends that is not lived to its end, or not begun.</summary>
public class EndingTests
{
    [Theory]
    [InlineData("nosuch", "there is no such row; there are direct, walk, step,")]
    [InlineData("negative", "did you mean negatives?")]
    public async Task Row_ThatIsNone_IsWrongUsage(string row, string message)
    {
        await using var lab = ServiceProcess.Start("Lab", "selftest", "--only", row);

        (await lab.End()).ShouldBe(2);
        lab.Errors.ToString().ReplaceLineEndings(" ").ShouldContain(message);
    }

    [Theory]
    [InlineData("--jobs", "0")]
    [InlineData("--producer", "/no/such/Producer.dll")]
    [InlineData("--redis", "redis://:secret@127.0.0.1:6379")]
    [InlineData("--redis", "rediss://127.0.0.1:6379")]
    public async Task Option_ThatCannotBe_IsWrongUsage(string option, string value)
    {
        await using var lab = ServiceProcess.Start("Lab", "selftest", option, value);

        (await lab.End()).ShouldBe(2);
        lab.Errors.ToString().ShouldContain(option);
        lab.Errors.ToString().ShouldNotContain("secret");
    }

    [Fact]
    public async Task Server_ThatIsNotThere_IsRefused()
    {
        var endpoint = $"127.0.0.1:{FreePort.Next()}";
        await using var lab = ServiceProcess.Start("Lab", "selftest", "--short", "--redis", endpoint);

        (await lab.End()).ShouldBe(3);
        lab.Errors.ToString().ShouldContain(endpoint);
    }

    [Fact]
    public async Task Row_WhoseRunBeganAfterWhatWasPlanted_IsLivedAgain()
    {
        // Longer than the lead that a machine is given whose Consumer takes three seconds to start.
        using var slow = new SlowOnce("Producer", TimeSpan.FromSeconds(26));
        await using var lab = ServiceProcess.Start(
            "Lab", "selftest", "--short", "--only", "slew", "--producer", slow.Program);

        (await lab.End()).ShouldBe(0, lab.ToString());
        slow.Starts.ShouldBe(2);
    }

    [Fact]
    public async Task Producer_ThatWasNotBuilt_IsRefused()
    {
        using var beside = new LabWithout("RedisLatency.Producer.dll");
        await using var lab = ServiceProcess.StartShell($"exec dotnet '{beside.Program}' selftest --short");

        (await lab.End()).ShouldBe(3);
        lab.Errors.ToString().ShouldContain("The Producer is not there");
    }

    [Fact]
    public async Task Producer_ThatMeasuresNothing_FailsItsRow()
    {
        await using var lab = ServiceProcess.Start(
            "Lab", "selftest", "--short", "--only", "faults", "--producer", ServerRequirement.Find("true")!);

        (await lab.End()).ShouldBe(99, lab.ToString());
        lab.Output.ToString().ShouldContain("FAILED: the Producer ended with 0 and no results");
        lab.Output.Lines[^2].ShouldStartWith("faults failed: the Producer ended");
        lab.Output.Lines[^1].ShouldContain("pass=0 miss=0 failed=1 skipped=0 stopped=0 exit=99");
    }

    [Fact]
    public async Task Stop_InTheMiddle_SaysWhichRowsWereNotLived()
    {
        await using var lab = ServiceProcess.Start(
            "Lab", "selftest", "--short", "--format", "json", "--only", "wan", "--only", "stall");
        await lab.Errors.WaitFor("Row 1 of 2, wan");

        (await lab.EndBy("INT")).ShouldBe(130, lab.ToString());

        using var document = JsonDocument.Parse(string.Join('\n', lab.Output.Lines));
        document.RootElement.GetProperty("exitCode").GetInt32().ShouldBe(130);
        var rows = document.RootElement.GetProperty("rows").EnumerateArray().ToArray();
        rows.Select(row => row.GetProperty("row").GetString()).ShouldBe(["wan", "stall"]);
        rows.ShouldAllBe(row => row.GetProperty("verdict").GetString() == "stopped");
    }
}
