package agreement
import ("testing";"context";"pangolin/internal/native";"os")
func TestTmp(t *testing.T){
	src,_:=os.ReadFile(os.Getenv("F"))
	r,err:=native.Outcomes(context.Background(),[]native.Program{{Name:"x",Files:map[string]string{"x.go":string(src)}}},native.Options{Schedules:3000})
	if err!=nil{t.Fatal(err)}
	for _,o:=range r[0].Outcomes { o.Schedule=nil; t.Logf("%+v",o) }
	t.Log(r[0].Schedules, r[0].TooBig, r[0].Fault)
}
