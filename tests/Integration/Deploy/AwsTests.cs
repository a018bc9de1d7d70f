using RedisLatency.Fixtures;
using YamlDotNet.RepresentationModel;

namespace RedisLatency.Integration.Deploy;

/// <summary>The template of <c>deploy/aws</c>, judged by Amazon's own validator.</summary>
public sealed class AwsTests
{
    private static readonly (string Right, string Wrong, string Named)[] Faults =
    [
        ("SubnetId:", "SubnettId:", "'SubnettId' was unexpected"),
        ("Type: AWS::EC2::Instance\n", "Type: AWS::EC2::Instence\n", "'AWS::EC2::Instence'"),
        ("HttpTokens: required", "HttpTokens: require", "'require' is not one of"),
        ("!Ref SshRange", "!Ref SshRage", "'SshRage' is not one of"),
        (":7777 ${Options}", ":7777 ${Optoins}", "${Optoins}"),
        ("IpProtocol: udp", "IpProtocol: upd", "'upd'"),
        ("Type: AWS::EC2::VPC::Id", "Type: AWS::EC2::VPC", "invalid Type 'AWS::EC2::VPC'"),
        ("  Credential:\n", "  Password:\n", "does not have NoEcho"),
    ];

    // The template first. All in one process, which takes seconds to start.
    private static readonly Lazy<Task<IReadOnlyList<IReadOnlyList<string>>>> Judged = new(Judge);

    public static TheoryData<int, string> Named => new(Faults.Select((fault, i) => (i, fault.Named)));

    [Fact]
    public async Task Template_IsValidWithoutARemark() => (await Judged.Value)[0].ShouldBeEmpty();

    [Theory]
    [MemberData(nameof(Named))]
    public async Task Fault_IsFound(int which, string named) =>
        (await Judged.Value)[which + 1].ShouldContain(said => said.Contains(named));

    [Theory]
    [InlineData("consumer")]
    [InlineData("producer")]
    public void Sample_GivesParametersThatTheTemplateHas_AndAllItNeeds(string role)
    {
        var template = CloudMachines.InAws(role);
        var sample = CloudFormationTemplate.Sample(role);

        sample.Keys.Except(template.Parameters).ShouldBeEmpty();
        sample["Role"].ShouldBe(role);
        // What has no default and is not given has no value.
        foreach (var name in template.Parameters)
            template.Resolve(new YamlScalarNode(name) { Tag = "!Ref" });
    }

    [Fact]
    public void Text_OfTheMachine_IsThatOfAllClouds()
    {
        var shared = File.ReadAllText(RepositoryRoot.Combine("deploy", "clouds", "cloud-init.yaml"));

        CloudMachines.InAws("consumer").Property("Machine", "Properties", "UserData")["Fn::Base64"]["Fn::Sub"][0]
            .ToString().ShouldBe(shared);
    }

    [Theory]
    [InlineData("consumer", "10.1.0.0/16")]
    [InlineData("producer", "10.2.0.0/16")]
    public async Task Guard_LetsInLoginsAndProbesAlone(string role, string other)
    {
        var stack = CloudMachines.InAws(role);

        var rules = ((YamlSequenceNode)stack.Property("Guard", "Properties", "SecurityGroupIngress")).Select(
            rule => string.Join(' ', new[] { "IpProtocol", "FromPort", "ToPort", "CidrIp" }
                .Select(name => stack.Resolve(rule[name]))));

        var port = (await CloudMachines.Of("aws", "consumer")).Probe.Port;
        rules.ShouldBe(["tcp 22 22 203.0.113.0/24", $"udp {port} {port} {other}"]);
    }

    [Fact]
    public async Task Producer_ProbesTheConsumer()
    {
        var consumer = CloudMachines.InAws("consumer");
        var probed = (await CloudMachines.Of("aws", "producer")).Probe;

        consumer.Resolve(consumer.Property("Machine", "Properties", "PrivateIpAddress")).ShouldBe(probed.Host);
        probed.Port.ShouldBe((await CloudMachines.Of("aws", "consumer")).Probe.Port);
    }

    /// <summary>A stack knows the name of the secret alone; its machine may read that one.</summary>
    [Fact]
    public void Machine_MayReadItsPasswordAlone()
    {
        var stack = CloudMachines.InAws("consumer");
        var statement = stack.Property("Rights", "Properties", "Policies")[0]["PolicyDocument"]["Statement"];

        ((YamlSequenceNode)statement).Children.ShouldHaveSingleItem();
        statement[0]["Action"].ToString().ShouldBe("secretsmanager:GetSecretValue");
        stack.Resolve(statement[0]["Resource"])
            .ShouldBe("arn:aws:secretsmanager:eu-west-1:123456789012:secret:redis-latency-??????");
    }

    private static async Task<IReadOnlyList<IReadOnlyList<string>>> Judge()
    {
        using var copy = new DeployCopy();
        var files = Faults.Select((fault, i) =>
        {
            CloudFormationTemplate.Text.ShouldContain(fault.Right);
            var file = Path.Combine(copy.Folder, $"{i}.yaml");
            File.WriteAllText(
                file, CloudFormationTemplate.Text.Replace(fault.Right, fault.Wrong, StringComparison.Ordinal));
            return file;
        }).ToArray();
        return await CloudFormationTemplate.Validate(
            [Path.Combine(CloudFormationTemplate.Folder, "machine.yaml"), .. files]);
    }
}
