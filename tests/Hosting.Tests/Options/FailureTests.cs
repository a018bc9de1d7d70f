using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Tests.Options;

public sealed class FailureTests
{
    [Fact]
    public async Task AFault_IsOneLineAndEndsWith1()
    {
        var program = new SampleProgram { Outcome = _ => throw new InvalidOperationException("the floor\ngave way") };

        (await program.Run()).ShouldBe(1);

        program.Errors.ShouldBe(
        [
            "producer: an internal error: InvalidOperationException: the floor gave way (--verbose shows where)",
        ]);
    }

    [Fact]
    public async Task AFault_Verbose_TellsWhere()
    {
        var program = new SampleProgram { Outcome = _ => throw new InvalidOperationException("the floor gave way") };

        (await program.Run("--verbose")).ShouldBe(1);

        string.Join('\n', program.Errors).ShouldContain(nameof(AFault_Verbose_TellsWhere));
    }

    [Fact]
    public async Task AWrongConfigurationFoundLate_EndsWith2_WithEveryProblem()
    {
        var program = new SampleProgram { Outcome = _ => throw new ConfigurationException(["one", "two"]) };

        (await program.Run()).ShouldBe(2);

        program.Errors.ShouldBe(["one", "two"]);
    }

    [Fact]
    public async Task AnExpectedFailure_EndsWithItsOwnCode()
    {
        var program = new SampleProgram
        {
            Outcome = _ => throw new TimeoutException("nobody there"),
            ExitCodeOf = failure => failure is TimeoutException ? 3 : null,
        };

        (await program.Run()).ShouldBe(3);

        program.Errors.ShouldBe(["nobody there"]);
    }

    [Fact]
    public async Task AFaultWhileOptionsAreChecked_IsOneLineToo()
    {
        var program = new SampleProgram();

        (await program.Run("--secret", "boom")).ShouldBe(1);

        program.Errors.ShouldBe(["producer: an internal error: NotSupportedException: boom"]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(99)]
    [InlineData(143)]
    public async Task TheHandlersExitCode_IsThePrograms(int exitCode)
    {
        (await new SampleProgram { Outcome = _ => exitCode }.Run()).ShouldBe(exitCode);
    }
}
